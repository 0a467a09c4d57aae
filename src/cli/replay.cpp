// SPDX-License-Identifier: Apache-2.0
//
// heddle replay: run a program again in the order a schedule gives.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/outcome_text.h"
#include "cli/program_options.h"
#include "schedule/result.h"

namespace heddle::cli {
namespace {

struct Options {
  std::string schedule;
  ProgramOptions program;
};

int run(const Options& options, const ProgramArguments& arguments) {
  auto schedule = schedule::read_schedule(options.schedule);
  if (!schedule) return report(schedule.error());
  auto subject = prepare_subject(options.program, arguments);
  if (!subject) return report(subject.error());
  if (auto fits = check_schedule(*schedule, *subject); !fits) return report(fits.error());
  execute::ExecutorOptions how = executor_options(options.program);
  how.output = 1;
  how.errors = 2;
  auto executor = execute::Executor::start(*subject, how);
  if (!executor) return report(executor.error());
  explain_choices(options.program, **executor);
  execute::RunRequest request;
  request.prefix = &*schedule;
  auto done = (*executor)->run(request);
  if (!done) return report(done.error());
  const trace::Trace trace = (*executor)->to_trace(*done, request);
  fmt::print(stderr, "heddle: {}\n", outcome_text(trace));
  if (!schedule->result.empty()) {
    if (schedule::result_of(trace.ending) == schedule->result) return kNothingFound;
    fmt::print(stderr, "heddle: the schedule says that it comes to \"{}\": that did not happen again\n", schedule->result);
    return kUndecided;
  }
  switch (trace.ending.outcome) {
    case HEDDLE_OUTCOME_DIVERGED:
    case HEDDLE_OUTCOME_UNSUPPORTED:
    case HEDDLE_OUTCOME_HANG:
    case HEDDLE_OUTCOME_KILLED: return kUndecided;
    default: return kNothingFound;
  }
}

}  // namespace

void add_replay_command(CLI::App& app, Action& action, const ProgramArguments& arguments) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("replay", "run a program again in the order a schedule gives");
  command->add_option("schedule", options->schedule, "schedule file")->required()->type_name("SCHEDULE");
  add_program_options(*command, options->program);
  command->footer("Example: heddle replay 7.schedule prog.c -- ARGUMENTS OF prog\nExit code: 0 the result in the schedule happened again (if it has none: followed to its end), 4 not");
  command->callback([options, &action, &arguments] { action = [options, &arguments] { return run(*options, arguments); }; });
}

}  // namespace heddle::cli
