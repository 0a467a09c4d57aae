// SPDX-License-Identifier: Apache-2.0
#include "report/run_result.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/check.h"
#include "base/files.h"
#include "report/program_facts.h"
#include "schedule/schedule.h"
#include "trace/reader.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

const Json& list_at(const Json& json, const char* key) {
  static const Json none = Json::array();
  const auto found = json.is_object() ? json.find(key) : json.end();
  return json.is_object() && found != json.end() && found->is_array() ? *found : none;
}

bool flag_at(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_boolean() && json[key].get<bool>();
}

namespace {

property::Finding finding_of(const Json& json) {
  property::Finding finding;
  finding.kind = text_at(json, "kind", "unknown");
  finding.message = text_at(json, "message");
  for (const Json& place : list_at(json, "places"))
    finding.places.push_back({text_at(place, "file"), static_cast<uint32_t>(number_at(place, "line")),
                              text_at(place, "function"), text_at(place, "thread")});
  finding.confirmed = flag_at(json, "confirmed");
  finding.validated = flag_at(json, "validated");
  finding.enabled_at_once = flag_at(json, "enabled_at_once");
  finding.original_switches = number_at(json, "original_context_switches");
  finding.doubt = text_at(json, "doubt");
  finding.silenced = text_at(json, "silenced");
  return finding;
}

// Files of a run lie beside its result; a name that leads elsewhere is not followed.
bool is_plain_name(const std::string& name) {
  return !name.empty() && std::filesystem::path(name).filename() == name && name != "..";
}

void read_trace_of(RunResult& run, const Json& json, property::Finding& finding) {
  const std::string name = text_at(json, "trace");
  if (name.empty()) return;
  if (!is_plain_name(name)) {
    run.remarks.push_back("the trace of a finding is not in the directory of the run: " + name);
    return;
  }
  auto trace = trace::read_trace(run.directory + "/" + name, {.salvage = true});
  if (!trace) {
    run.remarks.push_back(trace.error().message);
    return;
  }
  if (!trace->damage.empty()) run.remarks.push_back(trace->damage);
  finding.trace = std::make_shared<const trace::Trace>(std::move(*trace));
}

}  // namespace

std::string text_at(const Json& json, const char* key, const std::string& otherwise) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : otherwise;
}

uint64_t number_at(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_number_unsigned() ? json[key].get<uint64_t>() : 0;
}

double real_at(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_number() ? json[key].get<double>() : 0;
}

namespace {

base::Result<RunResult> parse_result(const std::string& directory, const std::string& text) {
  const std::string path = directory + "/result.json";
  RunResult run;
  run.directory = directory;
  run.json = Json::parse(text, nullptr, false);
  if (!run.json.is_object() || text_at(run.json, "tool") != "heddle")
    return base::Error{path + " is no result of Heddle", "give the directory of a run, such as .heddle/runs/001-check"};
  if (number_at(run.json, "schema") != 1)
    return base::Error{path + " has a schema that this version does not know",
                       "use the version of Heddle that wrote it"};
  run.command = text_at(run.json, "command");
  run.verdict = text_at(run.json, "verdict");
  run.program = run.json.contains("program") ? text_at(run.json["program"], "name") : "";
  for (const Json& reason : list_at(run.json, "reasons"))
    run.reasons.push_back({text_at(reason, "code"), text_at(reason, "text"), text_at(reason, "help")});
  for (const Json& note : list_at(run.json, "notes"))
    if (note.is_string()) run.notes.push_back(note.get<std::string>());
  for (const Json& json : list_at(run.json, "findings")) {
    run.findings.push_back(finding_of(json));
    run.ids.push_back(text_at(json, "id"));
  }
  return run;
}

}  // namespace

base::Result<RunResult> read_run(const std::string& directory) {
  auto text = base::read_file(directory + "/result.json");
  if (!text) return base::Error{text.error().message, "a run that was killed has no result"};
  auto run = parse_result(directory, *text);
  if (!run) return run;
  const Json& findings = list_at(run->json, "findings");
  for (size_t i = 0; i < run->findings.size(); ++i) read_trace_of(*run, findings[i], run->findings[i]);
  if (auto passing = trace::read_trace(directory + "/" + kPassingTrace);
      passing && passing->header.mode == trace::Mode::kControlled)
    run->passing = std::make_shared<const trace::Trace>(std::move(*passing));
  return run;
}

RunResult result_of(const std::string& directory, const std::string& json,
                    const std::vector<property::Finding>& findings) {
  auto run = parse_result(directory, json);
  HEDDLE_CHECK(static_cast<bool>(run), "we read what we have just written");
  for (size_t i = 0; i < run->findings.size() && i < findings.size(); ++i) {
    run->findings[i].trace = findings[i].trace;
    run->findings[i].schedule = findings[i].schedule;
  }
  return std::move(*run);
}

void read_schedules(RunResult& run) {
  for (size_t i = 0; i < run.findings.size(); ++i)
    if (auto schedule = schedule::read_schedule(run.directory + "/" + schedule_file(i)))
      run.findings[i].schedule = std::move(*schedule);
}

std::string replay_command(const RunResult& run, size_t finding) {
  return fmt::format("heddle replay {}/{}", run.directory, schedule_file(finding));
}

}  // namespace heddle::report
