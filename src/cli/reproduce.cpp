// SPDX-License-Identifier: Apache-2.0
//
// heddle reproduce: from the recording of a failure to a schedule that leads to it.
#include "reproduce/reproduce.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/files.h"
#include "base/latest.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/kept_run.h"
#include "cli/limit_options.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/report_formats.h"
#include "cli/terminal.h"
#include "record/recording.h"
#include "report/reproduce_report.h"
#include "report/run_directory.h"
#include "trace/writer.h"

namespace heddle::cli {
namespace {

struct Choices {
  std::string recording, bug, memory = "sc", constraints = "clap", format = "text", color = "auto";
  LimitOptions limits = {.seconds = 300};
  double hang_seconds = 10;
  uint32_t trials = 200;
  uint64_t seed = 0;
};

// The latest run of heddle record.
base::Result<std::string> latest_recording() {
  const std::vector<std::string> runs = report::all_runs();
  for (size_t i = runs.size(); i-- > 0;)
    if (runs[i].ends_with("-record")) return runs[i];
  return base::Error{"no run in " + report::runs_directory() + " is a recording",
                     "run heddle record first, or name a recording"};
}

// A file, the directory of a run, or its number; empty: the latest.
base::Result<record::Recording> read(const std::string& name) {
  std::string path = name;
  if (path.empty()) {
    auto latest = latest_recording();
    if (!latest) return latest.error();
    path = *latest;
  }
  std::error_code missing;
  if (!std::filesystem::exists(path, missing)) {
    auto run = report::find_run(name);
    if (!run) return run.error();
    path = *run;
  }
  if (std::filesystem::is_directory(path, missing)) path += "/recording";
  return record::read_recording(path);
}

void keep(const reproduce::Report& report, const std::string& json, KeptRun& run) {
  if (report.reproduced) {
    if (!report.inputs.empty())
      run.keep("inputs", "what calls brought into the recorded run",
               [&](const std::string& path) { return base::write_file(path, report.inputs); });
    run.keep(report::schedule_file(0), "the schedule",
             [&](const std::string& path) { return schedule::write_schedule_file(path, report.finding.schedule); });
    run.keep(report::trace_file(0), "the trace",
             [&](const std::string& path) { return trace::write_trace(path, *report.finding.trace); });
  }
  run.keep("result.json", "the result", [&](const std::string& path) { return base::write_file(path, json); });
}

report::ProgramFacts facts_of(const Choices& choices, const record::Recording& recording) {
  report::ProgramFacts facts;
  facts.name = recording.facts.program;
  facts.hash = recording.facts.module_hash;
  facts.seed = choices.seed;
  facts.options = {{"memory", choices.memory}, {"constraints", choices.constraints}, {"recording", choices.recording}};
  facts.invocation = {recording.facts.inputs, recording.facts.cflags, recording.facts.arguments, "fresh", true};
  return facts;
}

// Prints the answer, then keeps it.
int give_answer(const reproduce::Report& result, const report::ProgramFacts& facts, const Choices& choices,
                KeptRun& kept, base::Watchdog* watchdog, bool was_interrupted) {
  const std::string json = report::reproduce_json(result, facts);
  if (choices.format == "text") {
    say_text(report::reproduce_text(result, kept.directory(), terminal_columns(choices.color)));
  } else if (choices.format != "html") {
    const std::vector<property::Finding> findings(result.reproduced ? 1 : 0, result.finding);
    say_text(formatted_result(kept.directory(), json, findings, choices.format));
  }
  const bool is_out = flush_answer();
  const int code = result.reproduced ? kNothingFound : was_interrupted ? kInterrupted : kUndecided;
  if (watchdog && choices.format != "html") watchdog->answered(is_out ? code : kAnswerLost);
  keep(result, json, kept);
  if (choices.format == "html")
    if (auto printed = print_formatted(kept.directory(), choices.format); !printed) return report(printed.error());
  return code;
}

int run(const Choices& choices) {
  reproduce::SearchOptions options;
  options.explanation.memory = *schedule::find_memory_model(choices.memory);
  options.explanation.constraints =
      choices.constraints == "h3" ? reproduce::Constraints::kH3 : reproduce::Constraints::kClap;
  options.explanation.seconds = choices.limits.seconds;
  options.explanation.trials = choices.trials;
  options.explanation.seed = choices.seed;
  if (choices.memory == "pso" && choices.constraints == "h3") {
    tell(
        "heddle: --constraints=h3 does not hold under pso: the order in which a core performs stores is not the "
        "order in "
        "which they reach memory\nheddle: use --constraints=clap\n");
    return kUsage;
  }
  if (!choices.bug.empty()) {
    auto bug = reproduce::BugCondition::parse(choices.bug);
    if (!bug) return report(bug.error());
    options.bug = std::make_shared<const reproduce::BugCondition>(std::move(*bug));
  }
  auto recording = read(choices.recording);
  if (!recording) return report(recording.error());
  const report::ProgramFacts facts = facts_of(choices, *recording);
  KeptRun kept("reproduce");
  base::Latest<reproduce::SearchProgress> bulletin;
  base::Watchdog watchdog(choices.limits.limits(), [&](base::Stop::Why why) {
    const reproduce::SearchProgress now = bulletin.get();
    reproduce::Report report;
    report.gaps.raise(gap_of(why));
    report.statistics.runs = now.runs;
    report.statistics.known_bits = now.known_bits;
    report.statistics.recorded_bits = now.recorded_bits;
    report.seconds = now.seconds;
    report.threads = recording->threads.size();
    return give_answer(report, facts, choices, kept, nullptr, why == base::Stop::Why::kInterrupted);
  });
  execute::ExecutorOptions how;
  how.hang_seconds = choices.hang_seconds;
  options.interrupted = &watchdog.stop().flag();
  how.interrupted = options.interrupted;
  ProgressLine line;
  options.progress = [&](const reproduce::SearchProgress& now) {
    bulletin.publish(now);
    line.show(now.seconds, fmt::format("{} runs, {} of {} recorded branches known, {:.0f} s left", now.runs,
                                       now.known_bits, now.recorded_bits, now.left));
  };
  auto result = reproduce::reproduce(*recording, options, how);
  watchdog.conclude();
  line.clear();
  const base::Stop::Why why = watchdog.stop().why();
  if (!result && why != base::Stop::Why::kNone) result = reproduce::Report();  // there was nothing yet
  if (!result) {
    kept.discard();
    return report(result.error());
  }
  if (!result->reproduced && why != base::Stop::Why::kNone) result->gaps.raise(gap_of(why));
  return give_answer(*result, facts, choices, kept, &watchdog, why == base::Stop::Why::kInterrupted);
}

}  // namespace

void add_reproduce_command(CLI::App& app, Action& action) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("reproduce", "find a schedule that leads to a recorded failure, and run it");
  command
      ->add_option("recording", choices->recording,
                   "what heddle record kept: a file, a run directory or the number of a run; none: the latest")
      ->type_name("RECORDING");
  command
      ->add_option("--bug", choices->bug,
                   "what went wrong, if the program did not notice: 'VARIABLE == NUMBER at FILE:LINE' (== != < <= > "
                   ">=), a value that was read there")
      ->type_name("CONDITION");
  command->add_option("--memory", choices->memory, "memory model of the machine that failed")
      ->check(CLI::IsMember({"sc", "tso", "pso"}))
      ->capture_default_str();
  command
      ->add_option("--constraints", choices->constraints,
                   "h3: use the order in which each core ran its threads; clap: do not")
      ->check(CLI::IsMember({"clap", "h3"}))
      ->capture_default_str();
  add_limit_options(*command, choices->limits, "--seconds");
  command->get_option("--time-limit")->check(CLI::PositiveNumber)->capture_default_str();
  command->add_option("--trials", choices->trials, "random orders of a system of constraints before it is solved")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--seed", choices->seed, "of random schedules")->capture_default_str()->type_name("N");
  command
      ->add_option("--hang-seconds", choices->hang_seconds,
                   "give up a run when no visible operation happens for so long")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_format_option(*command, choices->format);
  add_color_option(*command, choices->color);
  seldom_needed(*command, {"--trials", "--hang-seconds", "--seed"});
  set_help(*command, {{{"heddle record prog; heddle reproduce", "a run that failed, and how it came to that"},
                       {"heddle reproduce 1 --constraints=h3", "by what the cores did, which is faster for long runs"}},
                      "",
                      "0 reproduced and confirmed in a fresh process, 4 not, 3 bad input, 130 interrupted"});
  command->callback([choices, &action] { action = [choices] { return run(*choices); }; });
}

}  // namespace heddle::cli
