// SPDX-License-Identifier: Apache-2.0
//
// heddle trace: making traces and looking at them.

#include "cli/commands.h"
#include "cli/trace_reversible.h"
#include "cli/trace_run.h"
#include "cli/trace_sanitize.h"
#include "cli/trace_view.h"

namespace heddle::cli {

void add_trace_commands(CLI::App& app, Action& action, const ProgramArguments& program_arguments) {
  CLI::App* trace = app.add_subcommand("trace", "make, show, check and compare traces");
  trace->require_subcommand(1);
  add_trace_run(*trace, action, program_arguments);
  add_trace_view(*trace, action);
  add_trace_sanitize(*trace, action);
  add_trace_reversible(*trace, action);
}

}  // namespace heddle::cli
