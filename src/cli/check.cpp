// SPDX-License-Identifier: Apache-2.0
//
// heddle check: explore every causally different execution of a program.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <mutex>

#include "base/files.h"
#include "base/watchdog.h"
#include "check/bulletin.h"
#include "check/checkpoint.h"
#include "check/cross_check.h"
#include "check/reduction_names.h"
#include "check/session.h"
#include "cli/check_answer.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/kept_run.h"
#include "cli/limit_options.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "cli/report_formats.h"
#include "cli/resume.h"
#include "cli/silence_options.h"
#include "cli/terminal.h"
#include "report/check_json.h"
#include "report/gap_texts.h"
#include "report/run_directory.h"
#include "schedule/memory_model.h"

namespace heddle::cli {
namespace {

struct Choices {
  ProgramOptions program;
  SilenceOptions silence;
  check::Options check;
  std::string memory = "sc", reduce, search, solver = "native", format = "text", fail_on_exit = "any", color = "auto",
              resume;
  LimitOptions limits;
  bool cross_check = false;
  ProgramArguments arguments;
};

// What a check that is resumed takes from the first one.
std::vector<Setting> settings_of(Choices& choices) {
  check::Options& check = choices.check;
  return {{"program", &choices.program.inputs},
          {"--cflags", &choices.program.cflags},
          {"arguments", &choices.arguments},
          {"--isolation", &choices.program.isolation},
          {"--carrier", &choices.program.carrier},
          {"--heap", &choices.program.heap},
          {"--memory", &choices.memory},
          {"--reduce", &choices.reduce},
          {"--search", &choices.search},
          {"--seed", &check.seed},
          {"--races", &check.races},
          {"--outcomes", &check.show_outcomes},
          {"--keep-going", &check.keep_going},
          {"--no-merge", &check.merge},
          {"--symmetry", &check.symmetry},
          {"--no-shorten", &check.shorten},
          {"--bound-loops", &check.bound_loops},
          {"--context-bound", &check.context_bound},
          {"--limit", &check.event_limit},
          {"--solver", &choices.solver},
          {"--fail-on-exit", &choices.fail_on_exit}};
}

base::Result<void> take_up(Choices& choices, const CLI::App& command) {
  auto checkpoint = report::find_checkpoint(choices.resume);
  if (!checkpoint) return checkpoint.error();
  auto note = check::read_checkpoint_note(*checkpoint);
  if (!note) return note.error();
  const ProgramArguments given = choices.arguments;
  if (!apply_settings(*note, command, settings_of(choices)))
    return base::Error{*checkpoint + " does not say which check it is of", "start the check from the beginning"};
  if (!given.empty()) choices.arguments = given;
  choices.check.resume = *checkpoint;
  return {};
}

// The reduction that is measured best; a wish about the solver is one for a reduction that asks it.
std::string best_reduction(const CLI::App& command) {
  return command.count("--solver") || command.count("--dump-smt") ? "mcr" : "learn";
}

void settle(Choices& choices) {
  choices.check.memory = *schedule::find_memory_model(choices.memory);
  choices.check.reduction = *check::find_reduction(choices.reduce);
  choices.check.solver = choices.solver == "z3" ? check::SolverKind::kZ3 : check::SolverKind::kNative;
  if (!choices.search.empty())
    choices.check.search = choices.search == "pct" ? check::Search::kPct : check::Search::kRandom;
  choices.check.any_exit_fails = choices.fail_on_exit == "any";
  if (!choices.check.any_exit_fails && choices.fail_on_exit != "none") {
    std::string number;
    for (const char c : choices.fail_on_exit + ",") {
      if (c != ',') {
        number += c;
      } else if (!number.empty()) {
        choices.check.failing_exits.push_back(std::atoi(number.c_str()));
        number.clear();
      }
    }
  }
}

report::ProgramFacts facts_of(const Choices& choices, const execute::Subject& subject) {
  report::ProgramFacts facts;
  facts.name = subject.program_name;
  facts.hash = subject.module_hash;
  facts.seed = choices.check.seed;
  facts.invocation = {choices.program.inputs, choices.program.cflags, subject.arguments, choices.program.heap};
  facts.options = {{"memory", choices.memory}, {"reduce", choices.reduce}, {"solver", choices.solver}};
  if (!choices.search.empty()) facts.options["search"] = choices.search;
  if (choices.check.races) facts.options["races"] = "true";
  if (choices.check.show_outcomes) facts.options["outcomes"] = "true";
  if (choices.check.keep_going) facts.options["keep-going"] = "true";
  if (!choices.check.merge) facts.options["no-merge"] = "true";
  if (choices.check.symmetry) facts.options["symmetry"] = "true";
  if (choices.check.bound_loops) facts.options["bound-loops"] = std::to_string(choices.check.bound_loops);
  return facts;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// What the last words need before the program is built.
CheckAnswer answer_without_program(const Choices& choices) {
  CheckAnswer answer;
  answer.facts.name = joined(choices.program.inputs);
  answer.facts.seed = choices.check.seed;
  answer.facts.invocation = {choices.program.inputs, choices.program.cflags, choices.arguments, choices.program.heap};
  answer.format = choices.format;
  answer.text.is_campaign = !choices.search.empty();
  answer.text.show_outcomes = choices.check.show_outcomes;
  answer.text.heap_is_fresh = choices.program.heap == "fresh";
  answer.text.races = choices.check.races;
  answer.text.memory = choices.check.memory;
  answer.text.columns = terminal_columns(choices.color);
  answer.event_limit = choices.check.event_limit;
  return answer;
}

// A check that is watched: what its watchdog says when it does not come to an end.
class WatchedCheck {
 public:
  explicit WatchedCheck(const Choices& choices, KeptRun& kept)
      : options_(choices.check), kept_(kept), answer_(answer_without_program(choices)) {}

  check::Bulletin& bulletin() { return bulletin_; }
  // Once the program is known.
  void set_answer(CheckAnswer answer) {
    const std::lock_guard<std::mutex> guard(lock_);
    answer_ = std::move(answer);
  }
  int say_last_words(base::Stop::Why why) {
    CheckAnswer answer;
    {
      const std::lock_guard<std::mutex> guard(lock_);
      answer = answer_;
    }
    answer.subject = nullptr;  // nothing is run any more
    return answer.give(bulletin_.settled(options_, gap_of(why)), kept_, nullptr, why == base::Stop::Why::kInterrupted);
  }

 private:
  const check::Options options_;
  KeptRun& kept_;
  check::Bulletin bulletin_;
  std::mutex lock_;
  CheckAnswer answer_;
};

// The same check by each of these reductions; they must agree. The exit code.
int cross_check(Choices& choices, const execute::Subject& subject, const execute::ExecutorOptions& execution,
                KeptRun& kept, base::Watchdog& watchdog, check::Report first) {
  std::vector<check::CrossChecked> sides;
  sides.push_back({choices.reduce, std::move(first)});
  for (const char* reduction : {"learn", "mcr", "dpor"}) {
    if (reduction == choices.reduce) continue;
    check::Options options = choices.check;
    options.reduction = *check::find_reduction(reduction);
    options.bulletin = nullptr;
    options.checkpoint.clear();
    auto other = check::check(subject, execution, options, [](const check::Progress&) { return false; });
    if (!other) return cli::report(other.error());
    sides.push_back({reduction, std::move(*other)});
  }
  watchdog.conclude();
  std::string text;
  for (const check::CrossChecked& side : sides) {
    text += fmt::format("{}: {}, {} findings, {} outcomes", side.reduction, report::verdict_name(side.report.verdict),
                        side.report.findings.size(), side.report.outcomes.size());
    for (const report::Reason& reason : report::reasons_of(side.report.gaps)) text += "; " + reason.text;
    text += "\n";
  }
  const std::vector<std::string> differences = check::differences_of(sides);
  for (const std::string& difference : differences) text += "difference: " + difference + "\n";
  say_text(text + (differences.empty() ? "the reductions agree\n" : ""));
  kept.keep("cross-check.txt", "the comparison", [&](const std::string& path) { return base::write_file(path, text); });
  if (differences.empty()) return kNothingFound;
  tell("heddle: internal error: the reductions disagree\nheddle: please report this, with the program and {}\n",
       kept.exists() ? kept.path("cross-check.txt") : "the text above");
  return kInternal;
}

int run(Choices& choices, const CLI::App& command) {
  if (!choices.resume.empty())
    if (auto taken_up = take_up(choices, command); !taken_up) return cli::report(taken_up.error());
  if (choices.reduce.empty()) choices.reduce = best_reduction(command);
  LimitOptions limits = choices.limits;
  if (choices.cross_check) {  // each of the checks has as much time as was given
    choices.check.keep_going = true;
    choices.check.time_limit = choices.limits.seconds;
    limits.seconds *= 4;
  }
  choices.check.checkpoint_note = settings_text(settings_of(choices));
  settle(choices);
  auto silencer = report::Silencer::read(choices.silence.suppressions, choices.silence.baseline);
  if (!silencer) return cli::report(silencer.error());
  choices.check.silence = [&silencer](property::Finding& finding) { silencer->look_at(finding, {}); };
  choices.program.dependence = check::uses_dependence(choices.check.reduction);
  choices.check.reuses_addresses = executor_options(choices.program).heap == execute::Heap::kReuse;

  KeptRun kept("check");
  if (kept.exists()) choices.check.checkpoint = report::checkpoint_file(kept.directory());
  WatchedCheck watched(choices, kept);
  base::Watchdog watchdog(limits.limits(), [&](base::Stop::Why why) { return watched.say_last_words(why); });
  auto subject = prepare_subject(choices.program, choices.arguments);
  if (!subject) {
    watchdog.conclude();
    kept.discard();
    return cli::report(subject.error());
  }
  CheckAnswer answer = answer_without_program(choices);
  answer.facts = facts_of(choices, *subject);
  answer.subject = &*subject;
  answer.execution = executor_options(choices.program);
  watched.set_answer(answer);

  const bool on_terminal = isatty(2);
  double last_shown = 0;
  const auto progress = [&](const check::Progress& now) {
    if (now.seconds - last_shown > (on_terminal ? 0.2 : 10)) {
      last_shown = now.seconds;
      tell("{}heddle: {} executions, {} states, {} findings, {:.0f} s{}", on_terminal ? "\r" : "", now.executions,
           now.states, now.findings, now.seconds, on_terminal ? " " : "\n");
    }
    return false;
  };
  choices.check.stop = &watchdog.stop();
  choices.check.bulletin = &watched.bulletin();
  auto result = check::check(*subject, answer.execution, choices.check, progress);
  if (result && choices.cross_check)
    return cross_check(choices, *subject, answer.execution, kept, watchdog, std::move(*result));
  watchdog.conclude();
  if (on_terminal && last_shown > 0) tell("\r{:70}\r", "");
  if (!result) return cli::report(result.error());
  const bool was_interrupted = watchdog.stop().why() == base::Stop::Why::kInterrupted;
  const int code = answer.give(*result, kept, &watchdog, was_interrupted);
  tell_unused(*silencer);
  if (!result->checkpoint_problem.empty())
    tell("heddle: this check cannot be resumed: {}\n", result->checkpoint_problem);
  return code;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action, const ProgramArguments& arguments) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("check", "explore every causally different execution");
  add_program_options(*command, choices->program);
  command->get_option("program")->required(false);
  check::Options& options = choices->check;
  command->add_option("--memory", choices->memory, "memory model")
      ->check(CLI::IsMember({"sc", "tso", "pso"}))
      ->capture_default_str();
  command
      ->add_option(
          "--reduce", choices->reduce,
          "how executions that show nothing new are left out; learn: learn what threads do and explore their product; "
          "mcr: one execution per class; mcr-s, mcr-s+: the same, asking only for reads that matter; se-mcr: "
          "the same, and what differs only in reads that do not matter is explored once; none, dpor, icb, "
          "icb-dpor: for comparison; mcr-published: as published, known to lose states, never says \"holds\" "
          "(default learn; mcr with --solver or --dump-smt)")
      ->check(CLI::IsMember(check::reduction_names()));
  command->add_option("--search", choices->search, "look at some executions instead: random or pct")
      ->check(CLI::IsMember({"random", "pct"}));
  command
      ->add_option("--executions", options.executions,
                   "stop after so many; of random and pct: so many in all, 1000 if not given")
      ->type_name("N");
  command->add_option("--seed", options.seed, "of random and pct")->capture_default_str();
  command->add_flag("--races", options.races, "also look for data races");
  command->add_flag("--outcomes", options.show_outcomes, "list what heddle_observe saw in all complete executions");
  command->add_flag("--keep-going", options.keep_going, "do not stop at the first finding");
  command->add_flag("--cross-check", choices->cross_check,
                    "check by learn, mcr and dpor, with --keep-going, and compare; a difference is an error of heddle "
                    "(exit code 70)");
  command->add_flag("!--no-merge", options.merge, "of learn: keep histories of threads apart, and count states");
  command->add_flag(
      "--symmetry", options.symmetry,
      "of learn: threads with the same function and argument may change places; states are not counted then");
  command->add_flag("!--no-shorten", options.shorten, "keep schedules as they were found, with all their switches");
  command->add_option("--bound-loops", options.bound_loops, "let a loop go round at most so often")->type_name("N");
  command->add_option("--context-bound", options.context_bound, "of icb: at most so many preemptions")->type_name("N");
  command
      ->add_option("--checkpoint-seconds", options.checkpoint_seconds,
                   "between two checkpoints, from which --resume goes on should heddle be killed (default 30)")
      ->type_name("S")
      ->check(CLI::PositiveNumber);
  add_limit_options(*command, choices->limits);
  command->add_option("--jobs", options.jobs, "workers; changes how long it takes, not what is found")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option("--resume", choices->resume,
                   "go on with a check that ended early: its number or directory; the program and options are those of "
                   "that check")
      ->type_name("RUN");
  command->add_option("--limit", options.event_limit, "visible operations of one execution")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--solver", choices->solver, "who answers questions about orders")
      ->check(CLI::IsMember({"native", "z3"}))
      ->capture_default_str();
  command->add_option("--dump-smt", options.dump_smt, "write each question to the solver here")->type_name("DIR");
  command
      ->add_option("--fail-on-exit", choices->fail_on_exit,
                   "which exit codes are findings: any (but 0), none, or N,N,...")
      ->capture_default_str();
  add_silence_options(*command, choices->silence);
  add_format_option(*command, choices->format);
  add_color_option(*command, choices->color);
  seldom_needed(*command,
                {"--cross-check", "--no-merge", "--symmetry", "--no-shorten", "--context-bound", "--checkpoint-seconds",
                 "--limit", "--solver", "--dump-smt", "--executions", "--seed", "--fail-on-exit", "--bound-loops"});
  set_help(*command, {{{"heddle check prog.c", "sources, or a program built with heddle cc"},
                       {"heddle check --memory=tso prog -- 3 fast", "as on x86; 3 and fast are arguments of prog"},
                       {"heddle check --races --keep-going prog", "data races too, and all there is to find"},
                       {"heddle check --jobs=2 --time-limit=60 prog", "two workers, one minute"},
                       {"heddle check --reduce=mcr --keep-going --executions=1 prog; heddle check --resume=1",
                        "go on with run 1, which ended early"}},
                      "",
                      "0 holds, 1 a confirmed finding, 3 bad input, 4 undecided, 130 interrupted"});
  command->callback([choices, command, &action, &arguments] {
    if (choices->program.inputs.empty() && choices->resume.empty()) throw CLI::RequiredError("program");
    action = [choices, command, &arguments] {
      choices->arguments = arguments;
      return run(*choices, *command);
    };
  });
}

}  // namespace heddle::cli
