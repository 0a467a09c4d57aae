// SPDX-License-Identifier: Apache-2.0
#include "report/predict_json.h"

#include "abi/version.h"
#include "report/finding_json.h"

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

std::string predict_json(const predict::Report& report, const std::vector<Explanation>& explanations, const ProgramFacts& facts) {
  Json result;
  result["schema"] = 1;
  result["tool"] = "heddle";
  result["version"] = HEDDLE_VERSION;
  result["command"] = "predict";
  result["verdict"] = report.found ? "found" : "nothing-predicted";
  result["reasons"] = Json::array();
  for (const property::Reason& reason : report.reasons)
    result["reasons"].push_back({{"code", reason.code}, {"text", reason.text}, {"place", nullptr}});
  result["program"] = {{"name", facts.name}, {"hash", facts.hash}};
  result["invocation"] = invocation_json(facts.invocation);
  result["options"] = facts.options;
  result["seed"] = facts.seed;
  result["stats"] = statistics_json(report);
  result["outcomes"] = Json::array();
  result["findings"] = Json::array();
  for (size_t i = 0; i < report.findings.size(); ++i) {
    result["findings"].push_back(finding_json(report.findings[i], i));
    add_explanation(result["findings"].back(), explanations[i]);
  }
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
