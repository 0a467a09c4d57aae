// SPDX-License-Identifier: Apache-2.0
#include "report/predict_json.h"

#include "report/predict_text.h"
#include "report/result_json.h"

namespace heddle::report {

namespace {

Json statistics_json(const predict::Report& report) {
  const predict::Statistics& statistics = report.statistics;
  return {{"executions", report.has_program ? 1 : 0},
          {"blocked", 0},
          {"other_runs", statistics.other_runs},
          {"states", nullptr},
          {"events", statistics.events},
          {"windows", statistics.windows},
          {"asked_windows", statistics.asked_windows},
          {"candidates", statistics.candidates},
          {"seconds", statistics.seconds},
          {"cpu_seconds", statistics.cpu_seconds},
          {"solver_queries", statistics.solver_queries},
          {"solver_seconds", statistics.solver_seconds},
          {"value_questions", statistics.value_questions},
          {"value_seconds", statistics.value_seconds},
          {"instructions", statistics.instructions},
          {"held_values", statistics.held_values},
          {"lost_threads", statistics.lost_threads},
          {"decided_without_search", statistics.decided_without_search},
          {"constraints", statistics.constraints},
          {"reads_constrained", statistics.reads_constrained}};
}

}  // namespace

std::string predict_json(const predict::Report& report, const std::vector<Explanation>& explanations,
                         const ProgramFacts& facts) {
  const Answer answer = answer_of(report);
  Json result = result_frame("predict", answer.verdict, answer.reasons, facts);
  result["stats"] = statistics_json(report);
  for (size_t i = 0; i < report.findings.size(); ++i) {
    result["findings"].push_back(finding_json(report.findings[i], i));
    add_explanation(result["findings"].back(), explanations[i]);
  }
  return result_text(result);
}

}  // namespace heddle::report
