// SPDX-License-Identifier: Apache-2.0
//
// heddle propagate: a campaign of faults, and where the errors went.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "base/cpu_time.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/comparison_options.h"
#include "cli/exit_codes.h"
#include "cli/fault_free_trace.h"
#include "cli/limit_options.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/report_formats.h"
#include "cli/resume.h"
#include "execute/standard_input.h"
#include "propagate/campaign/run_campaign.h"
#include "propagate/campaign/statistics.h"
#include "report/campaign_data.h"
#include "report/campaign_plot.h"
#include "report/campaign_text.h"
#include "report/gap_texts.h"
#include "report/propagate_json.h"
#include "report/run_directory.h"

namespace heddle::cli {
namespace {

struct Choices {
  ComparisonOptions comparison;
  std::vector<std::string> faults = {"bitflip", "filesize", "mallsize", "callcorr", "invalptr"};
  uint32_t runs = 100, jobs = 1, fault_free = 5;
  LimitOptions limits;
  bool assume_deterministic = false;
  std::string format = "text", resume;
  ProgramArguments arguments;
};

// What decides which experiments there are.
std::vector<Setting> settings_of(Choices& choices) {
  ComparisonOptions& comparison = choices.comparison;
  return {{"program", &comparison.inputs},
          {"--cflags", &comparison.cflags},
          {"arguments", &choices.arguments},
          {"--optimised", &comparison.optimised},
          {"--function", &comparison.filter.function},
          {"--file", &comparison.filter.file},
          {"--instruction", &comparison.filter.instruction},
          {"--thread", &comparison.filter.thread},
          {"--bits", &comparison.faults.bits},
          {"--seed", &comparison.seed},
          {"--faults", &choices.faults},
          {"--runs", &choices.runs}};
}

struct Campaign {
  Choices& choices;
  std::string directory;
  report::CampaignReport report;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

void print_answer(const Campaign& campaign, bool has_results) {
  const report::CampaignReport& told = campaign.report;
  for (const report::Reason& reason : report::reasons_of(told.gaps)) {
    say("{}: {}\n", told.verdict, reason.text);
    if (!reason.help.empty()) say("  what helps: {}\n", reason.help);
  }
  for (const std::string& note : told.notes) say("note: {}\n", note);
  if (has_results) say("{}\n{}", report::campaign_table(told.statistics), report::campaign_bars(told.statistics));
  say("{}\n", told.verdict == "refused" ? "nothing was injected" : campaign.directory);
}

// What the user asked to see; then result, tables and picture into the directory of the run.
base::Result<void> conclude(Campaign& campaign, std::span<const propagate::ExperimentResult> results) {
  report::CampaignReport& told = campaign.report;
  told.statistics = propagate::campaign_statistics(results);
  told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - campaign.begin).count();
  told.cpu_seconds += base::cpu_seconds();
  const std::string json = report::propagate_json(told);
  const std::string& format = campaign.choices.format;
  if (format == "text") print_answer(campaign, !results.empty());
  if (format == "json") say_text(json);
  flush_answer();
  std::vector<std::pair<const char*, std::string>> files = {{"result.json", json}};
  if (!results.empty()) {
    const report::ProgramCampaign drawn{told.facts.name, told.statistics};
    files.emplace_back("coverage.csv", report::campaign_csv(told.statistics));
    files.emplace_back("experiments.csv", report::experiments_csv(results));
    files.emplace_back("coverage.svg", report::campaign_plot(std::span(&drawn, 1)));
  }
  for (const auto& [name, text] : files)
    if (auto written = base::write_file(campaign.directory + "/" + name, text); !written) {
      tell("heddle: {}\nheddle: {} is not kept\n", written.error().message, name);
      if (format != "text" && format != "json") return written.error();
    }
  return format == "text" || format == "json" ? base::Result<void>() : print_formatted(campaign.directory, format);
}

HeddleGap campaign_gap_of(base::Stop::Why why) {
  const HeddleGap gap = gap_of(why);
  return gap == HEDDLE_GAP_TIME_LIMIT    ? HEDDLE_GAP_CAMPAIGN_TIME
         : gap == HEDDLE_GAP_INTERRUPTED ? HEDDLE_GAP_CAMPAIGN_INTERRUPTED
                                         : gap;
}

int refuse(Campaign& campaign, HeddleGap why, std::string text) {
  campaign.report.verdict = "refused";
  campaign.report.gaps.raise(why, std::move(text));
  if (auto concluded = conclude(campaign, {}); !concluded) return report(concluded.error());
  return kUndecided;
}

void show_progress(const propagate::CampaignProgress& now, double& last_shown) {
  const bool on_terminal = ::isatty(2);
  if (now.seconds - last_shown < (on_terminal ? 0.2 : 10)) return;
  last_shown = now.seconds;
  const double rate = static_cast<double>(now.done - now.before) / now.seconds;
  tell("{}heddle: {} of {} experiments, {:.0f} a second, {:.0f} s left{}", on_terminal ? "\r" : "", now.done,
       now.wanted, rate, static_cast<double>(now.wanted - now.done) / (rate > 0 ? rate : 1),
       on_terminal ? "   " : "\n");
}

int run_experiments(Campaign& campaign, propagate::ExperimentRunner& runner, const propagate::ServerSettings& settings,
                    base::Watchdog& watchdog) {
  const Choices& choices = campaign.choices;
  propagate::CampaignPlan plan;
  plan.runs = choices.runs;
  plan.seed = choices.comparison.seed;
  plan.jobs = choices.jobs;
  for (const std::string& name : choices.faults) {
    const propagate::FaultModel* model = propagate::fault_model(name);
    if (runner.points(*model) > 0)
      plan.faults.push_back(model);
    else
      campaign.report.notes.push_back(
          fmt::format("the fault {} has no place in this program: {}", name, model->summary));
  }
  if (plan.faults.empty())
    return report({"none of these faults has a place in this program", "heddle propagate --help lists all faults"});

  const propagate::CampaignIdentity identity{campaign.report.facts.hash, choices.comparison.seed,
                                             settings_text(settings_of(campaign.choices))};
  const std::string path = campaign.directory + "/" + propagate::kExperimentStoreFile;
  auto store = choices.resume.empty() ? propagate::ExperimentStore::create(path, identity)
                                      : propagate::ExperimentStore::open(path, identity);
  if (!store) return report(store.error());
  double last_shown = 0;
  auto ended = propagate::run_campaign(runner, settings, plan, *store, [&](const propagate::CampaignProgress& now) {
    show_progress(now, last_shown);
    return watchdog.stop().is_requested();
  });
  if (last_shown > 0 && ::isatty(2)) tell("\r{:70}\r", "");
  if (!ended) {
    watchdog.conclude();
    return report(ended.error());
  }
  campaign.report.cpu_seconds += ended->target_seconds;
  campaign.report.verdict = ended->why == propagate::CampaignEnd::Why::kComplete ? "done" : "partial";
  const base::Stop::Why why = watchdog.stop().why();
  if (ended->why == propagate::CampaignEnd::Why::kStopped) campaign.report.gaps.raise(campaign_gap_of(why));
  watchdog.conclude();
  auto results = store->results();
  if (!results) return report(results.error());
  {
    const propagate::ExperimentStore closed = std::move(*store);
  }  // reports open it again
  if (auto concluded = conclude(campaign, *results); !concluded) return report(concluded.error());
  if (ended->why == propagate::CampaignEnd::Why::kComplete) return kNothingFound;
  return why == base::Stop::Why::kInterrupted ? kInterrupted : kUndecided;
}

base::Result<std::string> directory_of(Choices& choices, const CLI::App& command) {
  if (choices.resume.empty()) return report::make_run_directory("propagate");
  auto directory = report::find_run(choices.resume);
  if (!directory) return directory;
  auto settings = base::read_file(*directory + "/settings.json");
  const ProgramArguments given = choices.arguments;
  if (!settings || !apply_settings(*settings, command, settings_of(choices)))
    return base::Error{*directory + " is no campaign that can be resumed", "start it from the beginning"};
  if (!given.empty()) choices.arguments = given;
  return directory;
}

// Ended before it was complete: what there is, and the exit code.
int conclude_early(Campaign& campaign, base::Stop::Why why) {
  campaign.report.verdict = "partial";
  campaign.report.gaps.raise(campaign_gap_of(why));
  campaign.report.notes.emplace_back("experiments that were made are kept in the directory of the run");
  if (auto concluded = conclude(campaign, {}); !concluded) return report(concluded.error());
  return why == base::Stop::Why::kInterrupted ? kInterrupted : kUndecided;
}

int run(Choices& choices, const CLI::App& command) {
  auto directory = directory_of(choices, command);
  if (!directory) return report(directory.error());
  auto target = prepare_comparison(choices.comparison);
  if (!target) return report(target.error());
  if (auto kept = base::write_file(*directory + "/settings.json", settings_text(settings_of(choices))); !kept)
    return report(kept.error());
  Campaign campaign{choices, *directory, {}};
  report::CampaignReport& told = campaign.report;
  told.facts.name = target->program_name;
  told.facts.hash = target->module_hash;
  told.facts.invocation = {choices.comparison.inputs, choices.comparison.cflags, choices.arguments, "fresh"};
  told.facts.options = {{"faults", fmt::format("{}", fmt::join(choices.faults, ","))},
                        {"runs", std::to_string(choices.runs)}};
  told.facts.options.merge(inject_options(choices.comparison));
  told.facts.seed = choices.comparison.seed;

  base::Watchdog watchdog(choices.limits.limits(), [&, facts = told.facts](base::Stop::Why why) {
    Campaign last{choices, *directory, {}};
    last.report.facts = facts;
    return conclude_early(last, why);
  });
  // A step that failed because it was told to stop is no error.
  const auto failed = [&](const base::Error& error) {
    watchdog.conclude();
    const base::Stop::Why why = watchdog.stop().why();
    return why == base::Stop::Why::kNone ? report(error) : conclude_early(campaign, why);
  };
  propagate::ServerSettings settings;
  settings.arguments = choices.arguments;
  settings.input = execute::rereadable_standard_input();
  settings.interrupted = &watchdog.stop().flag();
  if (!choices.assume_deterministic) {
    auto comparable = check_comparable(choices.comparison, choices.arguments, *directory, watchdog.stop().flag());
    if (!comparable) return failed(comparable.error());
    told.reversibility_seconds = comparable->seconds;
    if (comparable->gap) {
      watchdog.conclude();
      return refuse(campaign, *comparable->gap, comparable->text);
    }
  }
  auto runner =
      propagate::ExperimentRunner::start(*target, settings, choices.comparison.filter, choices.comparison.faults);
  if (!runner) return failed(runner.error());
  told.threads = (*runner)->fault_free_run().lanes();
  told.instructions = (*runner)->fault_free_run().instructions();
  if ((*runner)->fault_free_run().writes_nothing()) told.notes.emplace_back(kWritesNothing);
  for (; told.fault_free_runs < choices.fault_free; ++told.fault_free_runs) {
    auto differs = (*runner)->differs_without_fault();
    if (!differs) return failed(differs.error());
    if (!differs->empty()) {
      told.notes = nondeterminism_notes(choices.comparison);
      watchdog.conclude();
      return refuse(campaign, HEDDLE_GAP_RUNS_DIFFER,
                    "without any fault, two runs of the program do not do the same: " + *differs);
    }
  }
  return run_experiments(campaign, **runner, settings, watchdog);
}

}  // namespace

void add_propagate_command(CLI::App& app, Action& action, const ProgramArguments& arguments) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("propagate", "inject faults and follow the errors");
  add_comparison_options(*command, choices->comparison);
  std::vector<std::string> names;
  std::string all;
  for (const propagate::FaultModel* model : propagate::fault_models()) {
    names.emplace_back(model->name);
    all += fmt::format("  {:11}{}\n", model->name, model->summary);
  }
  command->add_option("--faults", choices->faults, "kinds of faults, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names))
      ->type_name("NAMES");
  command->add_option("--runs", choices->runs, "experiments with each")
      ->check(CLI::Range(1u, 100'000'000u))
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--jobs", choices->jobs, "workers; changes how long it takes, not what is found")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option("--fault-free", choices->fault_free,
                   "runs without fault that must not differ before anything is injected")
      ->capture_default_str()
      ->type_name("N");
  command->add_flag("--assume-deterministic", choices->assume_deterministic,
                    "do not ask whether what threads do depends on their timing; runs that differ are still noticed");
  add_limit_options(*command, choices->limits);
  command->add_option("--resume", choices->resume, "go on with a campaign that ended early: its number or directory")
      ->type_name("RUN");
  add_format_option(*command, choices->format);
  seldom_needed(*command, {"--fault-free", "--assume-deterministic"});
  set_help(*command,
           {{{"heddle propagate steady.c --faults=bitflip --runs=50", ""},
             {"heddle propagate steady.c --faults=bitflip,dropstore --function=square --jobs=2 --runs=10", ""}},
            "Faults:\n" + all + "Files that the program writes are kept from the disk and compared.",
            "0 complete, 3 bad input, 4 refused or not complete, 130 interrupted"});
  command->callback([choices, command, &action, &arguments] {
    if (choices->comparison.inputs.empty() && choices->resume.empty()) throw CLI::RequiredError("program");
    action = [choices, command, &arguments] {
      choices->arguments = arguments;
      return run(*choices, *command);
    };
  });
}

}  // namespace heddle::cli
