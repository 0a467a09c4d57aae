// SPDX-License-Identifier: Apache-2.0
#include "report/check_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/check_json.h"
#include "report/counted.h"
#include "report/counterexample_text.h"
#include "schedule/shorten.h"

namespace heddle::report {
namespace {

std::string switches_text(const check::Finding& finding) {
  const size_t switches = schedule::context_switches(finding.schedule);
  std::string text = counted(switches, "switch", "switches") + " between threads";
  if (finding.original_switches > switches) text += fmt::format(", {} before shortening", finding.original_switches);
  return text;
}

std::string finding_text(const check::Finding& finding, size_t number, const TextOptions& options) {
  const std::string title = fmt::format("{}: {}", finding.kind, finding.message);
  std::string text = styled(title, Style::kRed, options.columns.colour);
  if (!finding.silenced.empty()) return text + fmt::format("\n  does not count: {}\n\n", finding.silenced);
  text += finding.confirmed
              ? "\n"
              : fmt::format("\n  not confirmed: {}\n",
                            finding.doubt.empty() ? "it did not happen again in a fresh process" : finding.doubt);
  for (const check::Place& place : finding.places)
    text += fmt::format("  {} at {}:{} in {}\n", place.thread, place.file, place.line, place.function);
  if (finding.trace && finding.confirmed) {
    text += "\n" + counterexample_text(*finding.trace, options.columns) + "\n";
    text += fmt::format("  {}\n", switches_text(finding));
  }
  if (options.directory.empty()) return text + "  its schedule is not kept\n\n";
  const std::string command = fmt::format("heddle replay {}/{}", options.directory, schedule_file(number));
  text += fmt::format("  replay: {}\n", styled(command, Style::kBold, options.columns.colour));
  return text + "          with --slow every step, with --gdb in the debugger where it fails\n\n";
}

std::string outcomes_text(const check::Report& report) {
  std::string text = counted(report.outcomes.size(), "outcome", "outcomes") + "\n";
  for (const check::Outcome& outcome : report.outcomes) {
    text += " ";
    for (const auto& [name, value] : outcome) text += fmt::format(" {}={}", name, value);
    text += "\n";
  }
  return text;
}

// What "holds" leaves open.
std::string limits_text(const TextOptions& options) {
  std::string text = "  not covered: ";
  if (options.heap_is_fresh) text += "reuse of freed addresses (--heap=fresh), ";
  text += "spurious wake-ups, spurious failures of weak compare-exchanges";
  if (!options.races) text += ", data races (--races)";
  return text + "; see docs/explanation/verdicts.md\n";
}

// One reason behind the verdict; several in lines of their own. What helps is in lines of its own.
std::string reasons_text(const std::vector<Reason>& reasons) {
  std::string text = reasons.size() == 1 ? ": " + reasons[0].text + "\n" : "\n";
  for (const Reason& reason : reasons) {
    if (reasons.size() > 1) text += fmt::format("  because: {}\n", reason.text);
    if (!reason.help.empty()) text += fmt::format("  what helps: {}\n", reason.help);
  }
  return text;
}

bool has_silenced(const check::Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [](const check::Finding& finding) { return !finding.silenced.empty(); });
}

std::string verdict_text(const check::Report& report, const Answer& answer, const TextOptions& options) {
  const bool holds = answer.verdict == "holds";
  const bool violated = answer.verdict == "violated";
  std::string text = styled(answer.verdict, violated ? Style::kRed : Style::kBold, options.columns.colour);
  if (holds)
    text += fmt::format(": no execution fails {}under {}", has_silenced(report) ? "in a way that counts " : "",
                        schedule::memory_model_name(options.memory));
  return text + reasons_text(answer.reasons) + (holds ? limits_text(options) : "");
}

}  // namespace

Answer answer_of(const check::Report& report) { return {verdict_name(report.verdict), reasons_of(report.gaps)}; }

std::string check_text(const check::Report& report, const Answer& answer, const TextOptions& options) {
  std::string text;
  for (size_t i = 0; i < report.findings.size(); ++i) text += finding_text(report.findings[i], i, options);
  if (options.show_outcomes) text += outcomes_text(report);
  text += verdict_text(report, answer, options);
  const check::CheckStatistics& statistics = report.statistics;
  std::vector<std::string> counts = {
      fmt::format("{} ({} blocked)", counted(statistics.executions, "execution", "executions"), statistics.blocked)};
  if (statistics.states_are_known) counts.push_back(counted(statistics.states, "state", "states"));
  if (!statistics.product_states)
    counts.push_back(fmt::format("{} ({} without search)",
                                 counted(statistics.solver_queries, "solver query", "solver queries"),
                                 statistics.decided_without_search));
  counts.push_back(counted(statistics.other_runs, "other run", "other runs"));
  text += fmt::format("{}, {:.2f} s\n", fmt::join(counts, ", "), statistics.seconds);
  if (statistics.product_states)
    text += fmt::format("{} of threads learned, {} of their product explored\n",
                        counted(statistics.histories, "history", "histories"),
                        counted(statistics.product_states, "state", "states"));
  for (const std::string& note : report.notes) text += note + "\n";
  if (options.is_campaign)
    text += fmt::format("{} of the states were new in the last quarter of the executions\n", statistics.late_states);
  text += options.directory.empty() ? "results are not kept\n" : fmt::format("results in {}\n", options.directory);
  if (report.has_checkpoint) text += fmt::format("to go on: heddle check --resume={}\n", options.directory);
  return text;
}

}  // namespace heddle::report
