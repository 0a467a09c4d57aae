// SPDX-License-Identifier: Apache-2.0
#include "report/reproduce_report.h"

#include <fmt/format.h>

#include "report/counted.h"
#include "report/counterexample_text.h"
#include "report/result_json.h"

namespace heddle::report {
namespace {

Json statistics_json(const reproduce::Report& report) {
  const reproduce::SearchStatistics& statistics = report.statistics;
  const reproduce::ExplanationStatistics& whole = statistics.whole;
  const bool counted_all = statistics.whole_is_measured && whole.read_write != ~uint64_t{0};
  return {{"executions", statistics.runs},
          {"blocked", 0},
          {"other_runs", report.finding.trace ? 1 : 0},
          {"states", nullptr},
          {"events", whole.variables},
          {"seconds", report.seconds},
          {"cpu_seconds", report.cpu_seconds},
          {"solver_queries", statistics.solver_rounds},
          {"solver_seconds", statistics.solve_seconds},
          {"decided_without_search", 0},
          {"constraints", whole.constraints},
          {"reads_constrained", whole.used_read_write},
          {"threads", report.threads},
          {"variables", statistics.whole_is_measured ? Json(whole.variables) : Json(nullptr)},
          {"read_write_constraints", counted_all ? Json(whole.read_write) : Json(nullptr)},
          {"used_read_write_constraints", whole.used_read_write},
          {"whole_solved", statistics.whole_is_solved},
          {"whole_rounds", whole.rounds},
          {"whole_seconds", statistics.whole_is_measured ? Json(whole.seconds) : Json(nullptr)},
          {"trials", whole.trials},
          {"explanations", statistics.explanations},
          {"restarts", statistics.restarts},
          {"walk_seconds", statistics.walk_seconds},
          {"run_seconds", statistics.run_seconds},
          {"recorded_branches", statistics.recorded_bits},
          {"known_branches", statistics.known_bits},
          {"agreed_branches", statistics.agreed_bits},
          {"follows_paths", statistics.follows}};
}

}  // namespace

std::string reproduce_json(const reproduce::Report& report, const ProgramFacts& facts) {
  Json result =
      result_frame("reproduce", report.reproduced ? "reproduced" : "not-reproduced", reasons_of(report.gaps), facts);
  result["remarks"] = report.remarks;
  result["recorded_failure"] = report.failure;
  result["stats"] = statistics_json(report);
  if (report.reproduced) result["findings"].push_back(finding_json(report.finding, 0));
  return result_text(result);
}

std::string reproduce_text(const reproduce::Report& report, const std::string& directory,
                           const ColumnOptions& columns) {
  const reproduce::SearchStatistics& statistics = report.statistics;
  const reproduce::ExplanationStatistics& whole = statistics.whole;
  std::string text = fmt::format("recorded: {}\n", report.failure);
  if (report.reproduced) {
    text += "\n" + counterexample_text(*report.finding.trace, columns) + "\n";
    const std::string command = directory.empty() ? "its schedule is not kept"
                                                  : fmt::format("heddle replay {}/{}", directory, schedule_file(0));
    text +=
        fmt::format("  replay: {}  (--gdb stops where it fails)\n\n", styled(command, Style::kBold, columns.colour));
  }
  text += styled(report.reproduced ? "reproduced" : "not reproduced", report.reproduced ? Style::kRed : Style::kBold,
                 columns.colour) +
          "\n";
  for (const Reason& reason : reasons_of(report.gaps)) {
    text += fmt::format("  {}\n", reason.text);
    if (!reason.help.empty()) text += fmt::format("  what helps: {}\n", reason.help);
  }
  const bool was_tried = statistics.runs > 0 && !report.interrupted;
  if (!report.reproduced && was_tried)
    text +=
        "  try --constraints=h3, --time-limit with more time, another --seed, or a recording with fewer operations\n";
  for (const std::string& remark : report.remarks) text += fmt::format("  note: {}\n", remark);
  const std::string read_write =
      whole.read_write == ~uint64_t{0} ? "too many to count" : std::to_string(whole.read_write);
  text += fmt::format("{}, {} of {} recorded branches", counted(statistics.runs, "run", "runs"), statistics.agreed_bits,
                      statistics.recorded_bits);
  if (statistics.whole_is_measured)
    text += fmt::format("; whole system: {} variables, {} constraints, read-write {} ({} used), {:.2f} s",
                        whole.variables, whole.constraints, read_write, whole.used_read_write, whole.seconds);
  text += "\n";
  return text + fmt::format("{} solved in {:.2f} s of {:.2f} s; results in {}\n",
                            counted(statistics.explanations, "system", "systems"), statistics.solve_seconds,
                            report.seconds, directory);
}

}  // namespace heddle::report
