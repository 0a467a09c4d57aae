// SPDX-License-Identifier: Apache-2.0
#include "report/check_json.h"

#include <nlohmann/json.hpp>

#include "abi/version.h"
#include "base/files.h"
#include "check/findings.h"
#include "schedule/shorten.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

namespace {

Json places_json(const std::vector<check::Place>& places) {
  Json list = Json::array();
  for (const check::Place& place : places)
    list.push_back({{"file", place.file}, {"line", place.line}, {"function", place.function}, {"thread", place.thread}});
  return list;
}

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
  switch (verdict) {
    case check::Verdict::kHolds: return "holds";
    case check::Verdict::kViolated: return "violated";
    case check::Verdict::kUndecided: break;
  }
  return "undecided";
}

std::string schedule_file(size_t finding) { return "finding-" + std::to_string(finding + 1) + ".schedule"; }

std::string trace_file(size_t finding) { return "finding-" + std::to_string(finding + 1) + ".trace"; }

std::string check_json(const check::Report& report, const ProgramFacts& facts) {
  Json result;
  result["schema"] = 1;
  result["tool"] = "heddle";
  result["version"] = HEDDLE_VERSION;
  result["command"] = "check";
  result["verdict"] = verdict_name(report.verdict);
  result["reasons"] = Json::array();
  for (const check::Reason& reason : report.reasons)
    result["reasons"].push_back({{"code", reason.code}, {"text", reason.text}, {"place", nullptr}});
  if (!report.notes.empty()) result["notes"] = report.notes;
  result["program"] = {{"name", facts.name}, {"hash", facts.hash}};
  result["invocation"] = {{"inputs", facts.invocation.inputs},
                          {"cflags", facts.invocation.cflags},
                          {"arguments", facts.invocation.arguments},
                          {"heap", facts.invocation.heap}};
  result["options"] = facts.options;
  result["seed"] = facts.seed;
  result["stats"] = statistics_json(report.statistics);
  result["outcomes"] = Json::array();
  for (const check::Outcome& outcome : report.outcomes) result["outcomes"].push_back(outcome);
  result["findings"] = Json::array();
  for (size_t i = 0; i < report.findings.size(); ++i) {
    const check::Finding& finding = report.findings[i];
    Json json = {{"id", base::hash_text(check::identity_of(finding))},
                 {"kind", finding.kind},
                 {"message", finding.message},
                 {"places", places_json(finding.places)},
                 {"schedule", schedule_file(i)},
                 {"trace", finding.trace ? Json(trace_file(i)) : Json(nullptr)},
                 {"context_switches", schedule::context_switches(finding.schedule)},
                 {"confirmed", finding.confirmed}};
    if (finding.kind == "race") json["enabled_at_once"] = finding.enabled_at_once;
    result["findings"].push_back(std::move(json));
  }
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
