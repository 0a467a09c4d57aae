// SPDX-License-Identifier: Apache-2.0
#include "cli/debugger.h"

namespace heddle::cli {
namespace {

// In which function of the program the run ended; empty if not known.
std::string last_function(const trace::Trace& run) {
  for (auto event = run.events.rbegin(); event != run.events.rend(); ++event) {
    const HeddleRecord& record = event->record;
    if (!trace::is_visible(record) || record.site == 0 || record.site >= run.sites.size()) continue;
    return run.sites[record.site].function;
  }
  return "";
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
  // The runtime makes failures of faults, and stops then.
  then("handle SIGSEGV SIGBUS SIGFPE SIGILL nostop noprint pass");
  // The program must not read what is meant for the debugger.
  then("run < /dev/null");
  const std::string function = run.ending.outcome == HEDDLE_OUTCOME_FAILURE ? last_function(run) : "";
  if (!function.empty()) then("frame function " + function);
  if (run.ending.outcome == HEDDLE_OUTCOME_DEADLOCK) then("info threads");
  command.push_back("--args");
  return command;
}

}  // namespace heddle::cli
