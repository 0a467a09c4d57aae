// SPDX-License-Identifier: Apache-2.0
#include "report/exploration_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "report/run_result.h"
#include "trace/kinds.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kColumns = 9;

// With sign, as far as its size says; pointers and the like are only "something".
std::string number_text(uint64_t value, uint8_t size) {
  const unsigned unused = size < 8 && size > 0 ? 64 - 8 * size : 0;
  const auto number = static_cast<int64_t>(value << unused) >> unused;
  return number > -1'000'000'000 && number < 1'000'000'000 ? std::to_string(number) : "something";
}

std::string text_of(const check::Branch& branch, const trace::Site& site) {
  if (branch.steps == 0) return "ends";
  const std::string variable = site.variable.empty() ? "memory" : site.variable;
  if (branch.is_flush) return fmt::format("{} = {} reaches memory", variable, number_text(branch.value, branch.size));
  if (branch.kind == HEDDLE_LOAD) return fmt::format("reads {}: {}", variable, number_text(branch.value, branch.size));
  if (branch.kind == HEDDLE_STORE) return fmt::format("{} = {}", variable, number_text(branch.value, branch.size));
  std::string words = trace::kind_name(branch.kind);
  std::replace(words.begin(), words.end(), '_', ' ');
  if (branch.kind == HEDDLE_RMW || branch.kind == HEDDLE_CAS) words = "changes";
  return site.variable.empty() ? words : words + " " + site.variable;
}

std::string place_of(const trace::Site& site) {
  return site.line == 0 ? "" : fmt::format("{}:{}", std::filesystem::path(site.file).filename().string(), site.line);
}

bool makes_sense(const Json& row, size_t number) {
  if (!row.is_array() || row.size() != kColumns) return false;
  for (size_t i = 0; i < kColumns; ++i)
    if (i >= 3 && i <= 5 ? !row[i].is_string() : !row[i].is_number_unsigned()) return false;
  return number == 0 ? row[0] == 0 : row[0].get<uint64_t>() < number;
}

}  // namespace

std::string exploration_json(const check::Exploration& exploration, std::span<const trace::Site> sites) {
  const trace::Site unknown;
  Json json = {{"schema", 1}, {"left_out", exploration.left_out}, {"branches", Json::array()}};
  for (const check::Branch& branch : exploration.branches) {
    const trace::Site& site = branch.site < sites.size() ? sites[branch.site] : unknown;
    json["branches"].push_back(
        Json::array({branch.parent, branch.step, branch.steps, branch.thread, text_of(branch, site), place_of(site),
                     branch.executions, branch.blocked, branch.failed}));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json read_exploration(const std::string& directory) {
  auto text = base::read_file(directory + "/" + kExplorationFile);
  if (!text) return nullptr;
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object() || number_at(json, "schema") != 1) return nullptr;
  const Json& rows = list_at(json, "branches");
  for (size_t i = 0; i < rows.size(); ++i)
    if (!makes_sense(rows[i], i)) return nullptr;
  if (rows.empty()) return nullptr;
  return {{"left_out", number_at(json, "left_out")}, {"branches", rows}};
}

}  // namespace heddle::report
