// SPDX-License-Identifier: Apache-2.0
#include "report/result_json.h"

#include "abi/version.h"
#include "base/files.h"
#include "schedule/shorten.h"

namespace heddle::report {

Json finding_json(const property::Finding& finding, size_t number) {
  Json places = Json::array();
  for (const property::Place& place : finding.places)
    places.push_back(
        {{"file", place.file}, {"line", place.line}, {"function", place.function}, {"thread", place.thread}});
  Json json = {{"id", finding.id.empty() ? base::hash_text(property::identity_of(finding)) : finding.id},
               {"kind", finding.kind},
               {"message", finding.message},
               {"places", std::move(places)},
               {"schedule", schedule_file(number)},
               {"trace", finding.trace ? Json(trace_file(number)) : Json(nullptr)},
               {"context_switches",
                finding.schedule.steps.empty() ? Json(nullptr) : Json(schedule::context_switches(finding.schedule))},
               {"confirmed", finding.confirmed}};
  if (finding.original_switches) json["original_context_switches"] = finding.original_switches;
  if (finding.kind == "race") json["enabled_at_once"] = finding.enabled_at_once;
  if (finding.validated) json["validated"] = true;
  if (!finding.doubt.empty()) json["doubt"] = finding.doubt;
  if (!finding.silenced.empty()) json["silenced"] = finding.silenced;
  return json;
}

namespace {

Json invocation_json(const Invocation& invocation) {
  Json json = {{"inputs", invocation.inputs},
               {"cflags", invocation.cflags},
               {"arguments", invocation.arguments},
               {"heap", invocation.heap}};
  if (invocation.optimised) json["optimised"] = true;
  return json;
}

}  // namespace

Json result_frame(const char* command, const std::string& verdict, const std::vector<Reason>& reasons,
                  const ProgramFacts& facts) {
  Json result = {
      {"schema", 1}, {"tool", "heddle"}, {"version", HEDDLE_VERSION}, {"command", command}, {"verdict", verdict}};
  result["reasons"] = Json::array();
  for (const Reason& reason : reasons)
    result["reasons"].push_back(
        {{"code", reason.code}, {"text", reason.text}, {"help", reason.help}, {"place", nullptr}});
  result["program"] = {{"name", facts.name}, {"hash", facts.hash}};
  result["invocation"] = invocation_json(facts.invocation);
  result["options"] = Json::object();
  for (const auto& [name, value] : facts.options) result["options"][name] = value;
  result["seed"] = facts.seed;
  result["stats"] = Json::object();
  result["outcomes"] = result["findings"] = Json::array();
  return result;
}

std::string result_text(const Json& result) {
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
