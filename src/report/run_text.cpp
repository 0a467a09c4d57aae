// SPDX-License-Identifier: Apache-2.0
#include "report/run_text.h"

#include <fmt/format.h>

#include <filesystem>

#include "propagate/campaign/experiment_store.h"
#include "propagate/campaign/statistics.h"
#include "report/campaign_text.h"
#include "report/check_text.h"
#include "report/counterexample_text.h"
#include "report/predict_text.h"
#include "report/run_directory.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

namespace {

const Json& part(const RunResult& run, const char* key) {
  static const Json none;
  return run.json.contains(key) ? run.json[key] : none;
}

check::CheckStatistics check_statistics(const Json& stats) {
  check::CheckStatistics statistics;
  statistics.executions = number_at(stats, "executions");
  statistics.blocked = number_at(stats, "blocked");
  statistics.other_runs = number_at(stats, "other_runs");
  statistics.states = number_at(stats, "states");
  statistics.states_are_known = stats.is_object() && stats.contains("states") && stats["states"].is_number();
  statistics.late_states = number_at(stats, "late_states");
  statistics.product_states = number_at(stats, "product_states");
  statistics.histories = number_at(stats, "histories");
  statistics.solver_queries = number_at(stats, "solver_queries");
  statistics.decided_without_search = number_at(stats, "decided_without_search");
  statistics.seconds = real_at(stats, "seconds");
  return statistics;
}

std::string check_again(const RunResult& run, const ColumnOptions& columns) {
  check::Report report;
  report.notes = run.notes;
  report.findings = run.findings;
  report.statistics = check_statistics(part(run, "stats"));
  for (const Json& outcome : part(run, "outcomes")) {
    check::Outcome values;
    for (const auto& [name, value] : outcome.items())
      if (value.is_number_integer()) values[name] = value.get<int64_t>();
    report.outcomes.insert(std::move(values));
  }
  report.has_checkpoint = std::filesystem::exists(checkpoint_file(run.directory));
  const Json& options = part(run, "options");
  TextOptions text;
  text.directory = run.directory;
  text.is_campaign = !text_at(options, "search").empty();
  text.show_outcomes = text_at(options, "outcomes") == "true";
  text.heap_is_fresh = text_at(part(run, "invocation"), "heap", "fresh") == "fresh";
  text.races = text_at(options, "races") == "true";
  text.memory = schedule::find_memory_model(text_at(options, "memory", "sc")).value_or(schedule::MemoryModel::kSc);
  text.columns = columns;
  return check_text(report, {run.verdict, run.reasons}, text);
}

std::string predict_again(const RunResult& run, const ColumnOptions& columns) {
  const Json& stats = part(run, "stats");
  const Json& invocation = part(run, "invocation");
  predict::Report report;
  report.found = run.verdict == "found";
  report.has_program = invocation.is_object() && invocation.contains("inputs") && !invocation["inputs"].empty();
  report.findings = run.findings;
  report.statistics.events = number_at(stats, "events");
  report.statistics.windows = number_at(stats, "windows");
  report.statistics.asked_windows = number_at(stats, "asked_windows");
  report.statistics.candidates = number_at(stats, "candidates");
  report.statistics.other_runs = number_at(stats, "other_runs");
  report.statistics.solver_queries = number_at(stats, "solver_queries");
  report.statistics.decided_without_search = number_at(stats, "decided_without_search");
  report.statistics.seconds = real_at(stats, "seconds");
  std::vector<Explanation> explanations;
  for (const Json& finding : list_at(run.json, "findings")) explanations.push_back(read_explanation(finding));
  return predict_text(report, {run.verdict, run.reasons}, explanations, run.directory, columns);
}

std::string campaign_again(const RunResult& run) {
  std::string text;
  for (const Reason& reason : run.reasons) text += fmt::format("{}: {}\n", run.verdict, reason.text);
  for (const std::string& note : run.notes) text += fmt::format("note: {}\n", note);
  auto store = propagate::ExperimentStore::open(run.directory + "/" + propagate::kExperimentStoreFile);
  auto results = store ? store->results() : base::Result<std::vector<propagate::ExperimentResult>>(store.error());
  if (results && !results->empty()) {
    const propagate::CampaignStatistics statistics = propagate::campaign_statistics(*results);
    text += campaign_table(statistics) + "\n" + campaign_bars(statistics);
  }
  return text + (run.verdict == "refused" ? "nothing was injected" : run.directory) + "\n";
}

std::string plain(const RunResult& run, const ColumnOptions& columns) {
  std::string text;
  for (size_t i = 0; i < run.findings.size(); ++i) {
    const property::Finding& finding = run.findings[i];
    text += styled(fmt::format("{}: {}", finding.kind, finding.message), Style::kRed, columns.colour) + "\n";
    for (const property::Place& place : finding.places)
      text += fmt::format("  {} at {}:{} in {}\n", place.thread, place.file, place.line, place.function);
    if (finding.trace && finding.trace->header.mode == trace::Mode::kControlled)
      text += "\n" + counterexample_text(*finding.trace, columns) + "\n";
    if (finding.confirmed)
      text += fmt::format("  replay: {}\n", styled(replay_command(run, i), Style::kBold, columns.colour));
    text += "\n";
  }
  text += styled(run.verdict, Style::kBold, columns.colour) + "\n";
  for (const Reason& reason : run.reasons) text += fmt::format("  {}\n", reason.text);
  for (const std::string& note : run.notes) text += note + "\n";
  return text + fmt::format("results in {}\n", run.directory);
}

}  // namespace

std::string run_text(RunResult run, const ColumnOptions& columns) {
  read_schedules(run);
  if (run.command == "check") return check_again(run, columns);
  if (run.command == "predict") return predict_again(run, columns);
  if (run.command == "propagate") return campaign_again(run);
  return plain(run, columns);
}

}  // namespace heddle::report
