// SPDX-License-Identifier: Apache-2.0
#include "report/silence.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"

namespace heddle::report {

namespace {

// Findings that were not confirmed then are new when they are confirmed now.
base::Result<std::set<std::string>> read_ids(const std::string& path) {
  auto text = base::read_file(path);
  if (!text) return text.error();
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  const base::Error damaged{path + " is no result of heddle", "--baseline takes result.json of an earlier run"};
  if (!json.is_object() || !json.contains("tool") || json["tool"] != "heddle" || !json.contains("findings") ||
      !json["findings"].is_array())
    return damaged;
  if (!json.contains("schema") || json["schema"] != 1)
    return base::Error{path + " is of another version of the format", "make the baseline again"};
  std::set<std::string> ids;
  for (const auto& finding : json["findings"]) {
    if (!finding.is_object() || !finding.contains("id") || !finding["id"].is_string()) return damaged;
    const auto holds = [&](const char* key) { return finding.contains(key) && finding[key] == true; };
    if (holds("confirmed") || holds("validated")) ids.insert(finding["id"].get<std::string>());
  }
  return ids;
}

}  // namespace

base::Result<Silencer> Silencer::read(const std::string& suppressions, const std::string& baseline) {
  Silencer silencer;
  if (!suppressions.empty()) {
    auto text = base::read_file(suppressions);
    if (!text) return text.error();
    auto parsed = Suppressions::parse(*text, suppressions);
    if (!parsed) return parsed.error();
    silencer.suppressions_ = std::move(*parsed);
  }
  if (!baseline.empty()) {
    auto ids = read_ids(baseline);
    if (!ids) return ids.error();
    silencer.baseline_ = baseline;
    silencer.known_ = std::move(*ids);
  }
  return silencer;
}

void Silencer::look_at(property::Finding& finding, const std::vector<Circumstances>& places) {
  if (const std::string line = suppressions_.line_for(finding, places); !line.empty()) {
    finding.silenced = "suppressed by " + line;
  } else if (known_.count(finding.id)) {
    finding.silenced = "known from " + baseline_;
  }
}

}  // namespace heddle::report
