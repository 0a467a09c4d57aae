// SPDX-License-Identifier: Apache-2.0
//
// heddle replay: run a program again in the order a schedule gives.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "abi/given_inputs.h"
#include "cli/commands.h"
#include "cli/debugger.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/outcome_text.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "cli/terminal.h"
#include "report/counterexample_text.h"
#include "report/find_finding.h"
#include "report/invocation.h"
#include "schedule/result.h"

namespace heddle::cli {
namespace {

struct Options {
  std::string finding, color = "auto";
  ProgramOptions program;
  bool slow = false;
  bool gdb = false;
};

// What one run of the schedule needs.
struct Replay {
  schedule::Schedule schedule;
  execute::Subject subject;
  execute::ExecutorOptions how;
};

// The schedule, and the program: as named, or as the run of the finding had it.
base::Result<Replay> prepare(Options options, ProgramArguments arguments) {
  auto found = report::find_finding(options.finding);
  if (!found) return found.error();
  auto schedule = schedule::read_schedule(found->schedule);
  if (!schedule) return schedule.error();
  if (options.program.inputs.empty()) {
    if (found->result.empty())
      return base::Error{found->schedule + " is of no run that could say which program it is for",
                         "name the program behind the schedule"};
    auto invocation = report::read_invocation(found->result);
    if (!invocation) return invocation.error();
    options.program.inputs = invocation->inputs;
    options.program.cflags = invocation->cflags;
    options.program.heap = invocation->heap;
    options.program.optimised = invocation->optimised;
    arguments = invocation->arguments;
    // A reproduced failure may need what calls brought into the recorded run.
    const std::filesystem::path given = std::filesystem::path(found->result).replace_filename("inputs");
    if (std::error_code none; std::filesystem::exists(given, none)) ::setenv(HEDDLE_GIVEN_VARIABLE, given.c_str(), 1);
  }
  auto subject = prepare_subject(options.program, arguments);
  if (!subject) return subject.error();
  if (auto fits = check_schedule(*schedule, *subject); !fits) return fits.error();
  return Replay{std::move(*schedule), std::move(*subject), executor_options(options.program)};
}

base::Result<trace::Trace> run_once(const Replay& replay, const execute::ExecutorOptions& how, const Options& options,
                                    bool trap = false) {
  auto executor = execute::Executor::start(replay.subject, how);
  if (!executor) return executor.error();
  explain_choices(options.program, **executor);
  execute::RunRequest request;
  request.prefix = &replay.schedule;
  request.trap = trap;
  auto done = (*executor)->run(request);
  if (!done) return done.error();
  return (*executor)->to_trace(*done, request);
}

// Two runs: the first tells what is going to happen, so that steps have names and
// columns; the second is told as it goes. The target is never far ahead of the
// telling, so what the program prints comes between the right steps.
base::Result<trace::Trace> run_slowly(const Replay& replay, execute::ExecutorOptions how, const Options& options) {
  auto first = run_once(replay, replay.how, options);
  if (!first) return first;
  const report::StepByStep steps(*first, terminal_columns(options.color));
  say("{}", steps.head());
  how.ring_records = 16;
  how.watch = [&](size_t event, const HeddleRecord&) {
    say("{}", steps.lines(event));
    flush_answer();
  };
  return run_once(replay, how, options);
}

base::Result<trace::Trace> run_in_gdb(const Replay& replay, execute::ExecutorOptions how, const Options& options) {
  execute::ExecutorOptions before = replay.how;
  before.takes_input = how.takes_input = false;  // standard input is the debugger's
  auto first = run_once(replay, before, options);
  if (!first) return first;
  how.carrier = execute::Carrier::kThread;
  how.isolation = execute::Isolation::kFresh;
  how.debugger = debugger_command(*first);
  std::signal(SIGINT, SIG_IGN);  // the debugger's business
  return run_once(replay, how, options, true);
}

int run(const Options& options, const ProgramArguments& arguments) {
  auto replay = prepare(options, arguments);
  if (!replay) return report(replay.error());
  execute::ExecutorOptions how = replay->how;
  how.output = 1;
  how.errors = 2;
  auto trace = options.gdb    ? run_in_gdb(*replay, how, options)
               : options.slow ? run_slowly(*replay, how, options)
                              : run_once(*replay, how, options);
  if (!trace) return report(trace.error());
  tell("heddle: {}\n", outcome_text(*trace));
  if (!replay->schedule.result.empty()) {
    if (schedule::result_of(*trace) == replay->schedule.result) return kNothingFound;
    tell("heddle: the schedule says that it comes to \"{}\": that did not happen again\n", replay->schedule.result);
    return kUndecided;
  }
  switch (trace->ending.outcome) {
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
  CLI::App* command = app.add_subcommand("replay", "run a program again in the order a schedule or finding gives");
  command
      ->add_option("finding", options->finding,
                   "schedule file, run directory, RUN:NUMBER, or NUMBER in the latest run; none: its first finding")
      ->type_name("FINDING");
  add_program_options(*command, options->program);
  command->get_option("program")->required(false);
  CLI::Option* slow = command->add_flag("--slow", options->slow, "print every step while it happens");
  command->add_flag("--gdb", options->gdb, "run in gdb with real threads and stop where the run ends")->excludes(slow);
  add_color_option(*command, options->color);
  set_help(*command, {{{"heddle replay", "the first finding of the latest run"},
                       {"heddle replay 1:2 --slow", "the second of run 1, step by step"},
                       {"heddle replay --gdb", "in the debugger, which stops where it fails"},
                       {"heddle replay 7.schedule prog -- 3 fast", "a schedule of heddle trace run"}},
                      "",
                      "0 the result in the schedule happened again (if it has none: followed to its end), 4 not"});
  command->callback(
      [options, &action, &arguments] { action = [options, &arguments] { return run(*options, arguments); }; });
}

}  // namespace heddle::cli
