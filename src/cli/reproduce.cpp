// SPDX-License-Identifier: Apache-2.0
//
// heddle reproduce: from the recording of a failure to a schedule that leads to it.
#include "reproduce/reproduce.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/interrupts.h"
#include "cli/option_table.h"
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
  double seconds = 300, hang_seconds = 10;
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

base::Result<void> keep(const std::string& directory, const reproduce::Report& report, const std::string& json) {
  if (auto written = base::write_file(directory + "/result.json", json); !written) return written;
  if (!report.reproduced) return {};
  if (!report.inputs.empty())
    if (auto written = base::write_file(directory + "/inputs", report.inputs); !written) return written;
  if (auto written = schedule::write_schedule_file(directory + "/" + report::schedule_file(0), report.finding.schedule);
      !written)
    return written;
  return trace::write_trace(directory + "/" + report::trace_file(0), *report.finding.trace);
}

int run(const Choices& choices) {
  reproduce::SearchOptions options;
  options.explanation.memory = *schedule::find_memory_model(choices.memory);
  options.explanation.constraints =
      choices.constraints == "h3" ? reproduce::Constraints::kH3 : reproduce::Constraints::kClap;
  options.explanation.seconds = choices.seconds;
  options.explanation.trials = choices.trials;
  options.explanation.seed = choices.seed;
  if (choices.memory == "pso" && choices.constraints == "h3") {
    fmt::print(stderr,
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
  execute::ExecutorOptions how;
  how.hang_seconds = choices.hang_seconds;
  const Interrupts interrupts;
  options.interrupted = &interrupts.requested();
  how.interrupted = options.interrupted;
  ProgressLine line;
  options.progress = [&](const reproduce::SearchProgress& now) {
    line.show(now.seconds, fmt::format("{} runs, {} of {} recorded branches known, {:.0f} s left", now.runs,
                                       now.known_bits, now.recorded_bits, now.left));
  };
  auto result = reproduce::reproduce(*recording, options, how);
  line.clear();
  if (!result) return report(result.error());

  report::ProgramFacts facts;
  facts.name = result->program;
  facts.hash = result->module_hash;
  facts.seed = choices.seed;
  facts.options = {{"memory", choices.memory}, {"constraints", choices.constraints}, {"recording", choices.recording}};
  facts.invocation = {recording->facts.inputs, recording->facts.cflags, recording->facts.arguments, "fresh", true};
  auto directory = report::make_run_directory("reproduce");
  if (!directory) return report(directory.error());
  const std::string json = report::reproduce_json(*result, facts);
  if (auto kept = keep(*directory, *result, json); !kept) return report(kept.error());
  if (choices.format == "text") {
    fmt::print("{}", report::reproduce_text(*result, *directory, terminal_columns(choices.color)));
  } else if (auto printed = print_formatted(*directory, choices.format); !printed) {
    return report(printed.error());
  }
  if (result->interrupted && !result->reproduced) return kInterrupted;
  return result->reproduced ? kNothingFound : kUndecided;
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
  command->add_option("--seconds", choices->seconds, "give up after so long")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
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
