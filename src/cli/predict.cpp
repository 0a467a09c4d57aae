// SPDX-License-Identifier: Apache-2.0
//
// heddle predict: one run of a program, or a trace of one, and the bugs that
// other orders of its events have.
#include "predict/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/kept_run.h"
#include "cli/limit_options.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "cli/progress_line.h"
#include "cli/report_formats.h"
#include "cli/silence_options.h"
#include "cli/terminal.h"
#include "report/explanation.h"
#include "report/predict_json.h"
#include "report/predict_text.h"
#include "report/run_directory.h"
#include "trace/export_std.h"
#include "trace/format.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace heddle::cli {
namespace {

struct Choices {
  ProgramOptions program;
  SilenceOptions silence;
  predict::Options predict;
  std::string model = "mcm", window = "1000", format = "text", color = "auto";
  std::vector<std::string> find = {"races"};
  LimitOptions limits;
  uint64_t seed = 0;
  bool salvage = false;
};

enum class Input { kProgram, kTrace, kStd };

// By what the file is, not by its name; RAPID's form has no other mark than its lines.
Input kind_of(const std::vector<std::string>& inputs) {
  if (inputs.size() != 1) return Input::kProgram;
  std::ifstream file(inputs[0], std::ios::binary);
  std::string line(256, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<size_t>(file.gcount()));
  if (line.starts_with(trace::kMagic) || line.starts_with("heddle-trace")) return Input::kTrace;
  line.resize(std::min(line.find('\n'), line.size()));
  const bool has_fields = std::count(line.begin(), line.end(), '|') == 2 && line.find('(') != std::string::npos;
  const std::string extension = std::filesystem::path(inputs[0]).extension();
  return extension == ".std" || has_fields ? Input::kStd : extension == ".trace" ? Input::kTrace : Input::kProgram;
}

base::Result<trace::Trace> read_input(const Choices& choices, Input kind) {
  const std::string& path = choices.program.inputs[0];
  if (kind == Input::kStd) {
    auto text = base::read_file(path);
    if (!text) return text.error();
    return trace::import_std(*text, path);
  }
  auto trace = trace::read_trace(path, {.salvage = choices.salvage});
  if (trace && !trace->damage.empty() && !choices.salvage)
    return base::Error{trace->damage, "--salvage takes what is whole of it"};
  return trace;
}

// False: said what is wrong.
bool settle(Choices& choices, const CLI::App& command) {
  predict::Options& options = choices.predict;
  options.model = choices.model == "hb"    ? predict::Model::kHb
                  : choices.model == "mcm" ? predict::Model::kMcm
                                           : predict::Model::kRecipe;
  if (command.count("--seed")) options.seed = choices.seed;
  const auto wanted = [&](const char* what) {
    return std::find(choices.find.begin(), choices.find.end(), what) != choices.find.end();
  };
  options.find_races = wanted("races");
  options.find_deadlocks = wanted("deadlocks");
  options.find_uses_after_free = wanted("uaf");
  options.find_atomicity = wanted("atomicity");
  options.find_assertions = wanted("asserts");
  options.find_nulls = wanted("null");
  if ((options.find_assertions || options.find_nulls) && options.model != predict::Model::kRecipe) {
    tell("heddle: --find=asserts and --find=null need --model=recipe\n");
    return false;
  }
  if (choices.window == "all") {
    options.window = predict::kWholeTrace;
    return true;
  }
  const bool is_number = !choices.window.empty() && choices.window.size() <= 9 &&
                         choices.window.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) options.window = std::stoull(choices.window);
  if (is_number && options.window >= 2) return true;
  tell("heddle: --window is a number of events, at least 2, or all; not {}\n", choices.window);
  return false;
}

report::ProgramFacts facts_of(const Choices& choices) {
  report::ProgramFacts facts;
  facts.seed = choices.seed;
  facts.options = {{"model", choices.model}, {"window", choices.window}};
  for (const std::string& what : choices.find)
    facts.options["find"] += (facts.options["find"].empty() ? "" : ",") + what;
  return facts;
}

// Null with other models.
base::Result<std::unique_ptr<predict::RecipeSubject>> prepare_recipe(const Choices& choices,
                                                                     const ProgramArguments& arguments) {
  if (choices.predict.model != predict::Model::kRecipe) return std::unique_ptr<predict::RecipeSubject>();
  ProgramOptions options = choices.program;
  options.record = {"functions", "branches", "values"};
  std::optional<build::NumberedProgram> program;
  auto recorded = prepare_numbered_subject(options, arguments, program);
  if (!recorded) return recorded.error();
  return std::make_unique<predict::RecipeSubject>(predict::RecipeSubject{std::move(*recorded), std::move(*program)});
}

// Marks findings that do not count; what was found is then what counts.
void silence(report::Silencer& silencer, predict::Report& result,
             const std::vector<report::Explanation>& explanations) {
  result.found = false;
  for (size_t i = 0; i < result.findings.size(); ++i) {
    property::Finding& finding = result.findings[i];
    silencer.look_at(finding, explanations[i].places);
    result.found |= predict::stands(finding, result) && finding.silenced.empty();
  }
}

void keep(const predict::Report& report, const std::string& json, KeptRun& run) {
  for (size_t i = 0; i < report.findings.size(); ++i) {
    const property::Finding& finding = report.findings[i];
    const std::string of_finding = " of finding " + std::to_string(i + 1);
    if (!report.has_program && !report.trace) continue;  // what was published before the end
    run.keep(report::schedule_file(i), "the schedule" + of_finding, [&](const std::string& path) {
      return report.has_program ? schedule::write_schedule_file(path, finding.schedule)
                                : base::write_file(path, predict::schedule_text(*report.trace, report.orders[i]));
    });
    if (finding.trace)
      run.keep(report::trace_file(i), "the trace" + of_finding,
               [&](const std::string& path) { return trace::write_trace(path, *finding.trace); });
  }
  run.keep("result.json", "the result", [&](const std::string& path) { return base::write_file(path, json); });
}

// Prints the answer, then keeps it.
int give_answer(const predict::Report& report, const std::vector<report::Explanation>& explanations,
                const report::ProgramFacts& facts, const Choices& choices, KeptRun& kept, base::Watchdog* watchdog,
                bool was_interrupted) {
  const std::string json = report::predict_json(report, explanations, facts);
  if (choices.format == "text") {
    say_text(report::predict_text(report, report::answer_of(report), explanations, kept.directory(),
                                  terminal_columns(choices.color)));
  } else if (choices.format != "html") {
    say_text(formatted_result(kept.directory(), json, report.findings, choices.format));
  }
  const bool is_out = flush_answer();
  const int code = was_interrupted       ? kInterrupted
                   : report.found        ? kFinding
                   : report.gaps.empty() ? kNothingFound
                                         : kUndecided;
  if (watchdog && choices.format != "html") watchdog->answered(is_out ? code : kAnswerLost);
  keep(report, json, kept);
  if (choices.format == "html")
    if (auto printed = print_formatted(kept.directory(), choices.format); !printed) return cli::report(printed.error());
  return code;
}

base::Result<predict::Report> predict_from_program(Choices& choices, const ProgramArguments& arguments,
                                                   const std::atomic<bool>& stop,
                                                   base::Latest<report::ProgramFacts>& facts) {
  choices.program.record = {"functions"};
  auto subject = prepare_subject(choices.program, arguments);
  if (!subject) return subject.error();
  report::ProgramFacts known = facts_of(choices);
  known.name = subject->program_name;
  known.hash = subject->module_hash;
  known.invocation = {choices.program.inputs, choices.program.cflags, subject->arguments, choices.program.heap};
  facts.publish(known);
  auto recipe = prepare_recipe(choices, arguments);
  if (!recipe) return recipe.error();
  execute::ExecutorOptions execution = executor_options(choices.program);
  execution.interrupted = &stop;
  return predict::predict_program(*subject, execution, choices.predict, recipe->get());
}

base::Result<predict::Report> predict_from_trace(Choices& choices, Input kind,
                                                 base::Latest<report::ProgramFacts>& facts) {
  auto trace = read_input(choices, kind);
  if (!trace) return trace.error();
  report::ProgramFacts known = facts_of(choices);
  known.name = kind == Input::kStd ? choices.program.inputs[0] : trace->header.program;
  known.hash = trace->header.module_hash;
  facts.publish(known);
  return predict::predict_trace(std::make_shared<const trace::Trace>(std::move(*trace)), choices.predict);
}

int run(Choices& choices, const CLI::App& command, const ProgramArguments& arguments) {
  if (!settle(choices, command)) return kUsage;
  auto silencer = report::Silencer::read(choices.silence.suppressions, choices.silence.baseline);
  if (!silencer) return cli::report(silencer.error());
  const Input kind = kind_of(choices.program.inputs);
  KeptRun kept("predict");
  base::Latest<report::ProgramFacts> facts;
  facts.publish(facts_of(choices));
  base::Latest<predict::Report> bulletin;
  choices.predict.bulletin = &bulletin;
  base::Watchdog watchdog(choices.limits.limits(), [&](base::Stop::Why why) {
    predict::Report report = bulletin.get();
    report.gaps.raise(gap_of(why));
    const std::vector<report::Explanation> none(report.findings.size());
    return give_answer(report, none, facts.get(), choices, kept, nullptr, why == base::Stop::Why::kInterrupted);
  });
  ProgressLine line;
  choices.predict.stops = [&](size_t events) {
    if (events) line.show(watchdog.elapsed(), fmt::format("{} events looked at", events));
    return watchdog.stop().is_requested();
  };
  auto result = kind == Input::kProgram ? predict_from_program(choices, arguments, watchdog.stop().flag(), facts)
                                        : predict_from_trace(choices, kind, facts);
  watchdog.conclude();
  line.clear();
  const base::Stop::Why why = watchdog.stop().why();
  if (!result && why != base::Stop::Why::kNone) result = predict::Report();  // there was nothing yet
  if (!result) {
    kept.discard();
    return cli::report(result.error());
  }
  if (why != base::Stop::Why::kNone) result->gaps.raise(gap_of(why));
  const std::vector<report::Explanation> explanations = report::explain(*result);
  silence(*silencer, *result, explanations);
  const int code =
      give_answer(*result, explanations, facts.get(), choices, kept, &watchdog, why == base::Stop::Why::kInterrupted);
  tell_unused(*silencer);
  return code;
}

}  // namespace

void add_predict_command(CLI::App& app, Action& action, const ProgramArguments& arguments) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("predict", "find the bugs that one run already implies");
  add_program_options(*command, choices->program);
  command->get_option("program")->description(
      "program or sources, as for check; or a trace: heddle's own, or RAPID's STD form");
  command->get_option("program")->type_name("PROG|SRC|TRACE");
  command
      ->add_option("--model", choices->model,
                   "which other orders count; recipe: all orders in which every branch before the end goes the same "
                   "way and every access stays "
                   "where it is; mcm: those in which every read keeps its value; hb: races of the run as it was, by "
                   "happens-before, for comparison")
      ->check(CLI::IsMember({"recipe", "mcm", "hb"}))
      ->capture_default_str();
  command
      ->add_option("--find", choices->find,
                   "what to look for, separated by commas; deadlocks, uaf (use after free) and atomicity: always by "
                   "mcm; asserts and null "
                   "(pointers): by recipe only")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"races", "deadlocks", "uaf", "atomicity", "asserts", "null"}))
      ->type_name("WHAT,...")
      ->capture_default_str();
  command
      ->add_option("--atomic", choices->predict.atomic_functions,
                   "of atomicity: calls of these functions (* and ? allowed) are meant to be atomic, too")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FUNCTION,...");
  command->add_option("--window", choices->window, "so many events are looked at together, or all")
      ->type_name("N|all")
      ->capture_default_str();
  command->add_option("--seed", choices->seed, "run under a random schedule with this seed; otherwise the default one")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--limit", choices->predict.event_limit, "visible operations of the run")
      ->capture_default_str()
      ->type_name("N");
  add_limit_options(*command, choices->limits);
  add_silence_options(*command, choices->silence);
  command->add_flag("--salvage", choices->salvage, "take what is whole of a damaged trace");
  add_format_option(*command, choices->format);
  add_color_option(*command, choices->color);
  seldom_needed(*command, {"--atomic", "--window", "--limit", "--salvage"});
  set_help(*command,
           {{{"heddle predict prog.c -- 3 fast", "3 and fast are arguments of prog"},
             {"heddle predict --find=races,deadlocks,uaf prog", ""},
             {"heddle predict --model=recipe --find=asserts prog", "other values, too"},
             {"heddle trace run prog.c -o run.trace; heddle predict run.trace", "a trace, without its program"},
             {"heddle predict --window=all rapid.std", "a trace of RAPID"}},
            "",
            "0 nothing predicted, 1 a finding (confirmed by running it; of a trace: validated on it), 3 bad input, 4 "
            "nothing predicted, but not everything was looked at, 130 interrupted"});
  command->callback([choices, command, &action, &arguments] {
    action = [choices, command, &arguments] { return run(*choices, *command, arguments); };
  });
}

}  // namespace heddle::cli
