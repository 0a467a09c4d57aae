// SPDX-License-Identifier: Apache-2.0
#include "cli/debugger.h"

#include <fmt/format.h>

namespace heddle::cli {
namespace {

// Where in the program the run failed; unknown place if it did not.
trace::Site failing_place(const trace::Trace& run) {
  for (auto event = run.events.rbegin(); event != run.events.rend(); ++event) {
    const uint32_t site = event->record.site;
    if (event->record.kind == HEDDLE_FAIL && site < run.sites.size()) return run.sites[site];
  }
  return {};
}

std::string python_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

// Selects the frame at this line, below those of the runtime.
std::string select_frame(const trace::Site& place) {
  return fmt::format(
      "python from gdb.FrameIterator import FrameIterator; "
      "[f.select() for f in [f for f in FrameIterator(gdb.newest_frame()) "
      "if f.find_sal().symtab and f.find_sal().symtab.filename == {} and f.find_sal().line == {}][:1]]",
      python_text(place.file), place.line);
}

}  // namespace

std::vector<std::string> debugger_command(const trace::Trace& run) {
  std::vector<std::string> command = {"gdb", "-q"};
  const auto then = [&](const std::string& what) {
    command.push_back("-ex");
    command.push_back(what);
  };
  then("set confirm off");
  then("set startup-with-shell on");
  // The runtime makes failures of faults, and stops then. (The debugger would print a table of it.)
  then("python gdb.execute('handle SIGSEGV SIGBUS SIGFPE SIGILL nostop noprint pass', to_string=True)");
  // The program must not read what is meant for the debugger.
  then("run < /dev/null");
  if (const trace::Site place = failing_place(run); place.line != 0) {
    then(select_frame(place));
    then("frame");
  } else {
    then("info threads");
  }
  command.push_back("--args");
  return command;
}

}  // namespace heddle::cli
