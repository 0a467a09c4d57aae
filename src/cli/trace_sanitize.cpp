// SPDX-License-Identifier: Apache-2.0
//
// heddle trace sanitize: a trace without what differs from run to run.
#include "cli/trace_sanitize.h"

#include <memory>

#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "propagate/sanitize/sanitized_text.h"
#include "trace/reader.h"

namespace heddle::cli {
namespace {

struct Options {
  std::string file;
  bool salvage = false;
  bool events_only = false;
  bool merged = false;
};

int sanitize(const Options& options) {
  trace::ReadOptions how;
  how.salvage = options.salvage;
  auto trace = trace::read_trace(options.file, how);
  if (!trace) return report(trace.error());
  propagate::SanitizedTextOptions form;
  form.tables = !options.events_only;
  form.merged = options.merged;
  propagate::sanitized_text(*trace, say_text, form);
  return kNothingFound;
}

}  // namespace

void add_trace_sanitize(CLI::App& trace, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = trace.add_subcommand("sanitize", "print a trace without addresses and identities of threads");
  command->add_option("trace", options->file, "trace file, binary or text")->required()->type_name("FILE");
  command->add_flag("--salvage", options->salvage, "take what is whole of a damaged file");
  command->add_flag("--events-only", options->events_only,
                    "leave out the tables of objects and threads, which hold addresses");
  command->add_flag("--merged", options->merged, "all threads in one order of the run, not one after the other");
  set_help(*command,
           {{{"heddle trace run prog --free --unoptimised --record=functions,branches,values -o prog.trace", ""},
             {"heddle trace sanitize prog.trace", ""}},
            "",
            "0 printed, 3 bad input"});
  command->callback([options, &action] { action = [options] { return sanitize(*options); }; });
}

}  // namespace heddle::cli
