// SPDX-License-Identifier: Apache-2.0
//
// What an analysis left in the directory of its run, read again: result.json, and
// the traces of its findings. All reports but the first text are made from this,
// so they can be made at any later time, on another machine, and of any command.
//
// A result may come from anywhere: whatever it says is checked for its form
// before it is used, and a trace that cannot be read is a remark, not an error.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "property/finding.h"
#include "report/gap_texts.h"

namespace heddle::report {

struct RunResult {
  std::string directory;        // as the user gave it
  nlohmann::ordered_json json;  // the whole result
  std::string command, verdict, program;
  std::vector<Reason> reasons;
  std::vector<std::string> notes;
  // With their traces where there are any; `schedule` has steps only after read_schedules.
  std::vector<property::Finding> findings;
  std::shared_ptr<const trace::Trace> passing;  // a run without failure; may be null
  std::vector<std::string> ids;                 // of the findings, stable across runs
  std::vector<std::string> remarks;             // what of the directory could not be read
};

base::Result<RunResult> read_run(const std::string& directory);

// The same of a result that is not on disk yet: its text, and its findings with their traces.
RunResult result_of(const std::string& directory, const std::string& json,
                    const std::vector<property::Finding>& findings);

// The schedules of the findings, too: what texts about switches between threads need.
void read_schedules(RunResult& run);

// The text at `key`, or `otherwise` if there is no text.
std::string text_at(const nlohmann::ordered_json& json, const char* key, const std::string& otherwise = "");
// The number at `key`, or 0.
uint64_t number_at(const nlohmann::ordered_json& json, const char* key);
double real_at(const nlohmann::ordered_json& json, const char* key);
bool flag_at(const nlohmann::ordered_json& json, const char* key);
// Members of the list at `key`, or none if there is no list.
const nlohmann::ordered_json& list_at(const nlohmann::ordered_json& json, const char* key);

// "heddle replay DIRECTORY/finding-1.schedule".
std::string replay_command(const RunResult& run, size_t finding);

}  // namespace heddle::report
