// SPDX-License-Identifier: Apache-2.0
#include "report/invocation.h"

#include <nlohmann/json.hpp>

#include "base/files.h"

namespace heddle::report {

base::Result<Invocation> read_invocation(const std::string& path) {
  auto text = base::read_file(path);
  if (!text) return text.error();
  const base::Error unusable{path + " does not say which program was run", "name the program behind the schedule"};
  const nlohmann::json result = nlohmann::json::parse(*text, nullptr, false);
  if (!result.is_object() || !result.contains("invocation")) return unusable;
  const nlohmann::json& json = result["invocation"];
  const auto strings = [&](const char* key, std::vector<std::string>& list) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_array()) return false;
    for (const nlohmann::json& item : json[key]) {
      if (!item.is_string()) return false;
      list.push_back(item.get<std::string>());
    }
    return true;
  };
  Invocation invocation;
  if (!strings("inputs", invocation.inputs) || !strings("cflags", invocation.cflags) ||
      !strings("arguments", invocation.arguments) || invocation.inputs.empty())
    return unusable;
  if (json.contains("heap") && json["heap"].is_string()) invocation.heap = json["heap"].get<std::string>();
  if (json.contains("optimised") && json["optimised"].is_boolean())
    invocation.optimised = json["optimised"].get<bool>();
  return invocation;
}

}  // namespace heddle::report
