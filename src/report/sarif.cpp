// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "abi/version.h"
#include "naming/names.h"
#include "report/finding_kinds.h"
#include "report/narration.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

// A path as a URI: all but unreserved characters and slashes are written as %XX.
std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char letter : path) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') ||
                       std::string_view("-._~/").find(letter) != std::string_view::npos;
    uri += plain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return uri;
}

Json location_of(const std::string& file, uint32_t line, uint32_t column, const std::string& function,
                 const std::string& message) {
  Json location = Json::object();
  if (!file.empty()) {
    Json& physical = location["physicalLocation"];
    physical["artifactLocation"]["uri"] = uri_of(file);
    if (!file.starts_with('/')) physical["artifactLocation"]["uriBaseId"] = "SRCROOT";
    if (line) physical["region"]["startLine"] = line;
    if (line && column) physical["region"]["startColumn"] = column;
  }
  if (!function.empty()) location["logicalLocations"] = Json::array({{{"name", function}, {"kind", "function"}}});
  if (!message.empty()) location["message"]["text"] = message;
  return location;
}

const char* importance_of(const NarratedStep& step) {
  if (step.mark == Mark::kFails || step.mark == Mark::kWaits) return "essential";
  return step.is_quiet ? "unimportant" : "important";
}

// Threads in the order in which they begin.
Json thread_flows(const trace::Trace& trace) {
  const naming::Names names(trace);
  std::map<uint32_t, Json> flows;
  size_t last = 0;
  for (const NarratedStep& step : narrate(names)) {
    const trace::Site& site = trace.sites[step.site];
    Json& flow = flows[step.thread];
    if (flow.is_null()) flow = {{"id", trace.thread_name(step.thread)}, {"locations", Json::array()}};
    last = step.number ? step.number : last + 1;  // who waits for ever comes after all steps
    flow["locations"].push_back(
        {{"location", location_of(site.file, site.line, site.column, site.function, step.action)},
         {"executionOrder", last},
         {"importance", importance_of(step)}});
  }
  Json list = Json::array();
  for (auto& [thread, flow] : flows) list.push_back(std::move(flow));
  return list;
}

Json result_of(const RunResult& run, size_t number, const std::map<std::string, size_t>& rules) {
  const property::Finding& finding = run.findings[number];
  Json result = {{"ruleId", finding.kind}, {"ruleIndex", rules.at(finding.kind)}};
  result["level"] = finding.confirmed || finding.validated ? "error" : "note";
  result["message"]["text"] = finding.message.empty() ? finding.kind : finding.message;
  result["partialFingerprints"]["heddleFinding/v1"] = run.ids[number];
  result["locations"] = Json::array();
  for (size_t i = 0; i < finding.places.size(); ++i) {
    const property::Place& place = finding.places[i];
    Json location = location_of(place.file, place.line, 0, place.function, "in thread " + place.thread);
    if (i == 0) result["locations"].push_back(location);
    if (i > 0) location["id"] = i;
    if (i > 0) result["relatedLocations"].push_back(std::move(location));
  }
  if (finding.trace) {
    Json flows = thread_flows(*finding.trace);
    if (!flows.empty()) {
      Json flow = {{"message", {{"text", "the order that shows it, one flow per thread"}}},
                   {"threadFlows", std::move(flows)}};
      result["codeFlows"] = Json::array({std::move(flow)});
    }
  }
  result["properties"] = {{"confirmed", finding.confirmed}, {"replay", replay_command(run, number)}};
  if (finding.kind == "race") result["properties"]["enabledAtOnce"] = finding.enabled_at_once;
  if (!finding.doubt.empty()) result["properties"]["doubt"] = finding.doubt;
  return result;
}

Json rule_of(const std::string& name) {
  Json rule = {{"id", name}};
  const FindingKind* kind = find_finding_kind(name);
  if (!kind) return rule;
  rule["shortDescription"]["text"] = kind->title;
  rule["fullDescription"]["text"] = kind->summary;
  rule["help"]["text"] = kind->help;
  return rule;
}

Json notifications_of(const RunResult& run) {
  Json list = Json::array();
  for (const Reason& reason : run.reasons)
    list.push_back({{"descriptor", {{"id", reason.code}}}, {"level", "warning"}, {"message", {{"text", reason.text}}}});
  for (const std::string& note : run.notes) list.push_back({{"level", "note"}, {"message", {{"text", note}}}});
  for (const std::string& remark : run.remarks) list.push_back({{"level", "warning"}, {"message", {{"text", remark}}}});
  return list;
}

}  // namespace

std::string sarif_text(const RunResult& run) {
  std::map<std::string, size_t> rules;  // in the order of their names, so that equal runs give equal bytes
  for (const property::Finding& finding : run.findings) rules[finding.kind] = 0;
  Json descriptors = Json::array();
  for (auto& [name, index] : rules) {
    index = descriptors.size();
    descriptors.push_back(rule_of(name));
  }
  Json results = Json::array();
  for (size_t i = 0; i < run.findings.size(); ++i) results.push_back(result_of(run, i, rules));

  Json sarif = {{"$schema", kSchema}, {"version", "2.1.0"}};
  Json one;
  one["tool"]["driver"] = {
      {"name", "Heddle"}, {"version", text_at(run.json, "version", HEDDLE_VERSION)}, {"rules", std::move(descriptors)}};
  one["automationDetails"]["id"] = fmt::format("heddle/{}/{}/", run.command, run.program);
  one["columnKind"] = "utf16CodeUnits";
  one["originalUriBaseIds"]["SRCROOT"]["description"]["text"] = "the folder in which heddle was called";
  one["invocations"] =
      Json::array({{{"executionSuccessful", true}, {"toolExecutionNotifications", notifications_of(run)}}});
  one["results"] = std::move(results);
  one["properties"] = {{"command", run.command}, {"verdict", run.verdict}};
  if (run.json.contains("stats")) one["properties"]["stats"] = run.json["stats"];
  sarif["runs"] = Json::array({std::move(one)});
  return sarif.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
