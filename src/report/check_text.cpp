// SPDX-License-Identifier: Apache-2.0
#include "report/check_text.h"

#include <fmt/format.h>

#include "report/check_json.h"

namespace heddle::report {
namespace {

std::string finding_text(const check::Finding& finding, size_t number, const TextOptions& options) {
  std::string text = fmt::format("{}{}: {}\n", finding.kind, finding.confirmed ? "" : " (not confirmed)", finding.message);
  for (const check::Place& place : finding.places)
    text += fmt::format("  {} at {}:{} in {}\n", place.thread, place.file, place.line, place.function);
  text += fmt::format("  replay: heddle replay {}/{} {}\n", options.directory, schedule_file(number), options.program);
  return text;
}

}  // namespace

std::string check_text(const check::Report& report, const TextOptions& options) {
  std::string text;
  for (size_t i = 0; i < report.findings.size(); ++i) text += finding_text(report.findings[i], i, options);
  if (options.show_outcomes) {
    text += fmt::format("{} outcomes\n", report.outcomes.size());
    for (const check::Outcome& outcome : report.outcomes) {
      text += " ";
      for (const auto& [name, value] : outcome) text += fmt::format(" {}={}", name, value);
      text += "\n";
    }
  }
  text += verdict_name(report.verdict);
  const char* separator = ": ";
  for (const check::Reason& reason : report.reasons) {
    text += separator + reason.text;
    separator = "; ";
  }
  const check::CheckStatistics& statistics = report.statistics;
  text += fmt::format("\n{} executions ({} blocked), {} states, {} solver queries ({} without search), {:.2f} s\n",
                      statistics.executions, statistics.blocked, statistics.states, statistics.solver_queries,
                      statistics.decided_without_search, statistics.seconds);
  if (options.is_campaign)
    text += fmt::format("{} of the states were new in the last quarter of the executions\n", statistics.late_states);
  return text + fmt::format("results in {}\n", options.directory);
}

}  // namespace heddle::report
