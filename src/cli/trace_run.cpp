// SPDX-License-Identifier: Apache-2.0
//
// heddle trace run: one controlled run of a program, and its trace.
#include "cli/trace_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/interrupts.h"
#include "cli/option_table.h"
#include "cli/outcome_text.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "execute/free_run.h"
#include "schedule/from_trace.h"
#include "schedule/policies.h"
#include "schedule/result.h"
#include "trace/writer.h"

namespace heddle::cli {
namespace {

struct Options {
  ProgramOptions program;
  std::string output;
  std::string schedule_output;
  std::string strategy = "default";
  std::string memory;  // empty: that of the schedule, or sc
  uint64_t seed = 0;
  uint64_t limit = 10'000'000;
  bool spurious = false;
  bool free_running = false;
};

void say_interrupted(const Options& options) {
  tell("heddle: interrupted{}\n",
       options.output.empty() ? "" : "; the trace has what happened before, and says that it is not whole");
}

int run_free(const Options& options, const ProgramArguments& arguments) {
  if (options.output.empty()) {
    report({"a free run needs a file for its trace", "give -o FILE"});
    return kUsage;
  }
  auto subject = prepare_subject(options.program, arguments, true);
  if (!subject) return report(subject.error());
  execute::FreeRunOptions how;
  how.output = 1;
  how.errors = 2;
  const Interrupts interrupts;
  how.interrupted = &interrupts.requested();
  auto done = execute::run_freely(*subject, how, options.output);
  if (!done) return report(done.error());
  trace::Trace summary;
  summary.ending = done->ending;
  if (interrupts.requested()) {
    say_interrupted(options);
  } else {
    tell("heddle: {}\n", outcome_text(summary));
  }
  tell("heddle: {} events of {} threads in {}, {:.1f} bytes an event before packing\n", done->events, done->threads,
       options.output, done->events ? double(done->plain_bytes) / double(done->events) : 0.0);
  return interrupts.requested() ? kInterrupted : outcome_exit_code(done->ending);
}

int run(const Options& options, const ProgramArguments& arguments) {
  if (options.free_running) return run_free(options, arguments);
  auto strategy = schedule::parse_strategy(options.strategy);
  if (!strategy) {
    report(strategy.error());
    return kUsage;
  }
  schedule::Schedule prefix;
  execute::RunRequest request;
  request.seed = options.seed;
  request.event_limit = options.limit;
  request.allow_spurious = options.spurious;
  if (strategy->replay) {
    auto read = schedule::read_schedule(*strategy->replay);
    if (!read) return report(read.error());
    prefix = std::move(*read);
    request.prefix = &prefix;
    if (!options.memory.empty() && options.memory != schedule::memory_model_name(prefix.memory_model)) {
      report({fmt::format("the schedule is for memory model {}", schedule::memory_model_name(prefix.memory_model)),
              "leave --memory out"});
      return kUsage;
    }
  } else {
    request.strategy = static_cast<HeddleStrategy>(strategy->policy.kind);
    request.memory = schedule::find_memory_model(options.memory).value_or(schedule::MemoryModel::kSc);
  }

  auto subject = prepare_subject(options.program, arguments);
  if (!subject) return report(subject.error());
  if (request.prefix) {
    if (auto fits = check_schedule(prefix, *subject); !fits) return report(fits.error());
  }
  execute::ExecutorOptions how = executor_options(options.program);
  how.output = 1;
  how.errors = 2;
  const Interrupts interrupts;
  how.interrupted = &interrupts.requested();
  auto executor = execute::Executor::start(*subject, how);
  if (!executor) return report(executor.error());
  explain_choices(options.program, **executor);
  auto done = (*executor)->run(request);
  if (!done) return report(done.error());

  const trace::Trace trace = (*executor)->to_trace(*done, request);
  if (!options.output.empty()) {
    if (auto written = trace::write_trace(options.output, trace); !written) return report(written.error());
  }
  if (!options.schedule_output.empty()) {
    schedule::Schedule followed = schedule::from_trace(trace);
    followed.result = schedule::result_of(trace);
    if (auto written = schedule::write_schedule_file(options.schedule_output, followed); !written)
      return report(written.error());
  }
  const bool interrupted = interrupts.requested();
  if (interrupted) {
    say_interrupted(options);
  } else {
    tell("heddle: {}\n", outcome_text(trace));
  }
  if (!options.output.empty())
    tell("heddle: {} events of {} threads in {}\n", trace.events.size(), trace.threads.size(), options.output);
  if (interrupted) return kInterrupted;
  return schedule::misuses_of(trace).empty() ? outcome_exit_code(trace.ending) : kFinding;
}

}  // namespace

void add_trace_run(CLI::App& trace, Action& action, const ProgramArguments& arguments) {
  auto options = std::make_shared<Options>();
  CLI::App* command = trace.add_subcommand("run", "run a program under a schedule and keep its trace");
  add_program_options(*command, options->program);
  command->add_option("-o,--output", options->output, "write the trace here")->type_name("FILE");
  command->add_option("--schedule-output", options->schedule_output, "write the schedule that was followed here")
      ->type_name("FILE");
  command->add_option("--strategy", options->strategy, "default, random, pct, or replay:FILE")->capture_default_str();
  command->add_option("--memory", options->memory, "memory model: sc, or stores reach memory later: tso, pso")
      ->check(CLI::IsMember({"sc", "tso", "pso"}));
  command->add_option("--seed", options->seed, "of random and pct")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--limit", options->limit, "stop after so many visible operations")
      ->check(CLI::Range(uint64_t{1}, uint64_t{100'000'000}))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--record", options->program.record,
                   "also record functions, branches, values; they do not count as operations")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"functions", "branches", "values"}))
      ->type_name("WHAT,...");
  command->add_flag("--free", options->free_running,
                    "let threads run in parallel, at their own pace, and write everything down");
  command->add_flag("--unoptimised", options->program.unoptimised,
                    "with --free: trace every access of the source, not those of -O2");
  command->add_flag("--spurious", options->spurious, "waits may wake without reason");
  seldom_needed(*command, {"--limit", "--record", "--unoptimised", "--spurious"});
  set_help(*command,
           {{{"heddle trace run prog.c -o prog.trace -- 3 fast", "3 and fast are arguments of prog"},
             {"heddle trace run prog --strategy=random --seed=7 --schedule-output=7.schedule", "another order, kept"},
             {"heddle trace run prog --strategy=replay:7.schedule", "and followed"},
             {"heddle trace run prog --memory=tso --strategy=random --seed=7", "stores reach memory late"},
             {"heddle trace run prog --free -o free.trace", "threads run in parallel"}},
            "",
            "0 the program ended with 0, 1 it failed, 3 bad input, 4 it did something that cannot be followed, 130 "
            "interrupted"});
  command->callback(
      [options, &action, &arguments] { action = [options, &arguments] { return run(*options, arguments); }; });
}

}  // namespace heddle::cli
