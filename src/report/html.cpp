// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <fmt/format.h>

#include "abi/version.h"
#include "propagate/campaign/experiment_store.h"
#include "report/campaign_page.h"
#include "report/explanation.h"
#include "report/exploration_json.h"
#include "report/finding_kinds.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/result_json.h"
#include "report/run_text.h"
#include "report/source_excerpts.h"
#include "report/witness_json.h"

namespace heddle::report {

namespace {

Json explanations(const RunResult& run) {
  Json kinds = Json::object();
  for (const property::Finding& finding : run.findings)
    if (const FindingKind* kind = find_finding_kind(finding.kind))
      kinds[finding.kind] = {{"title", kind->title}, {"summary", kind->summary}, {"help", kind->help}};
  return kinds;
}

Json experiments(const RunResult& run) {
  auto store = propagate::ExperimentStore::open(run.directory + "/" + propagate::kExperimentStoreFile);
  if (!store) return nullptr;
  auto results = store->results();
  return results ? campaign_page(*results) : Json(nullptr);
}

// The result with every value of the type that the page counts on.
Json orderly_result(const RunResult& run) {
  Json result = run.json;
  const auto ensure = [](Json& parent, const char* key, const Json& otherwise) {
    if (!parent.contains(key) || parent[key].type() != otherwise.type()) parent[key] = otherwise;
  };
  const Json no_objects = Json::object(), no_list = Json::array();
  for (const char* key : {"program", "invocation", "options", "stats"}) ensure(result, key, no_objects);
  for (const char* key : {"inputs", "cflags", "arguments"}) {
    ensure(result["invocation"], key, no_list);
    for (Json& item : result["invocation"][key])
      if (!item.is_string()) item = item.dump();
  }
  if (run.command == "propagate") ensure(result["stats"], "faults", no_list);
  Json outcomes = no_list;
  for (const Json& outcome : result.contains("outcomes") ? result["outcomes"] : no_list)
    if (outcome.is_object()) outcomes.push_back(outcome);
  result["outcomes"] = std::move(outcomes);
  result["command"] = run.command;
  result["verdict"] = run.verdict;
  result["version"] = text_at(run.json, "version");
  result["reasons"] = no_list;
  for (const Reason& reason : run.reasons)
    result["reasons"].push_back({{"code", reason.code}, {"text", reason.text}, {"help", reason.help}});
  result["notes"] = run.notes;
  result["findings"] = no_list;
  for (size_t i = 0; i < run.findings.size(); ++i) {
    result["findings"].push_back(finding_json(run.findings[i], i));
    result["findings"].back()["id"] = run.ids[i];
    add_explanation(result["findings"].back(), read_explanation(list_at(run.json, "findings")[i]));
  }
  return result;
}

Json data_of(const RunResult& run) {
  SourceExcerpts excerpts(run.directory + "/result.json");
  Json data;
  data["result"] = orderly_result(run);
  data["directory"] = run.directory;
  data["remarks"] = run.remarks;
  data["kinds"] = explanations(run);
  data["witnesses"] = Json::array();
  data["replays"] = Json::array();
  const bool has_recording = run.command == "record" && !text_at(run.json, "recording").empty();
  for (size_t i = 0; i < run.findings.size(); ++i) {
    const property::Finding& finding = run.findings[i];
    for (const property::Place& place : finding.places) excerpts.refer(place.file, place.line);
    const bool can_show = finding.trace && finding.trace->header.mode == trace::Mode::kControlled;
    data["witnesses"].push_back(can_show ? witness_json(finding, run.passing.get(), excerpts) : Json(nullptr));
    data["replays"].push_back(finding.confirmed ? Json(replay_command(run, i))
                              : has_recording   ? Json("heddle reproduce " + run.directory)
                                                : Json(nullptr));
  }
  data["passing"] = run.passing != nullptr;
  data["campaign"] = run.command == "propagate" ? experiments(run) : Json(nullptr);
  data["exploration"] = run.command == "check" ? read_exploration(run.directory) : Json(nullptr);
  data["files"] = excerpts.json();
  return data;
}

}  // namespace

std::string html_text(const RunResult& run) {
  const std::string title = escaped_markup(fmt::format("{} {}: {}", run.command, run.program, run.verdict));
  const std::string data = data_of(run).dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src "
      "'sha256-{}'; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" "
      "content=\"no-referrer\">\n"
      "<meta name=\"generator\" content=\"heddle {}\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<noscript><pre>{}</pre></noscript>\n<div id=\"app\"></div>\n"
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
      kPageScriptHash, kPageStyleHash, HEDDLE_VERSION, title, kPageStyle, escaped_markup(run_text(run, {110, false})),
      escaped_json(data), kPageScript);
}

}  // namespace heddle::report
