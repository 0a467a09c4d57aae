// SPDX-License-Identifier: Apache-2.0
#include "report/check_json.h"

#include "report/result_json.h"

namespace heddle::report {

namespace {

Json statistics_json(const check::CheckStatistics& statistics) {
  return {{"executions", statistics.executions},
          {"blocked", statistics.blocked},
          {"other_runs", statistics.other_runs},
          {"states", statistics.states_are_known ? Json(statistics.states) : Json(nullptr)},
          {"events", statistics.events},
          {"seconds", statistics.seconds},
          {"cpu_seconds", statistics.cpu_seconds},
          {"late_states", statistics.late_states},
          {"product_states", statistics.product_states},
          {"product_steps", statistics.product_steps},
          {"product_bytes", statistics.product_bytes},
          {"product_seconds", statistics.product_seconds},
          {"histories", statistics.histories},
          {"solver_queries", statistics.solver_queries},
          {"solver_seconds", statistics.solver_seconds},
          {"decided_without_search", statistics.decided_without_search},
          {"constraints", statistics.constraints},
          {"reads_constrained", statistics.reads_constrained},
          {"prefixes", statistics.prefixes},
          {"shared_bytes", statistics.shared_bytes}};
}

}  // namespace

const char* verdict_name(check::Verdict verdict) {
  return verdict == check::Verdict::kHolds ? "holds" : verdict == check::Verdict::kViolated ? "violated" : "undecided";
}

std::string check_json(const check::Report& report, const ProgramFacts& facts) {
  Json result = result_frame("check", verdict_name(report.verdict), reasons_of(report.gaps), facts);
  if (!report.notes.empty()) result["notes"] = report.notes;
  result["stats"] = statistics_json(report.statistics);
  for (const check::Outcome& outcome : report.outcomes) result["outcomes"].push_back(outcome);
  for (size_t i = 0; i < report.findings.size(); ++i) result["findings"].push_back(finding_json(report.findings[i], i));
  return result_text(result);
}

}  // namespace heddle::report
