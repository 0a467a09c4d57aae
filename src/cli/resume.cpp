// SPDX-License-Identifier: Apache-2.0
#include "cli/resume.h"

#include <nlohmann/json.hpp>
#include <type_traits>

namespace heddle::cli {

using Json = nlohmann::ordered_json;

std::string settings_text(const std::vector<Setting>& settings) {
  Json json = Json::object();
  for (const Setting& setting : settings) {
    std::visit(
        [&](const auto* value) {
          if constexpr (std::is_same_v<decltype(value), const std::optional<uint32_t>*>) {
            json[setting.option] = *value ? Json(**value) : Json(nullptr);
          } else {
            json[setting.option] = *value;
          }
        },
        setting.value);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool apply_settings(const std::string& text, const CLI::App& command, const std::vector<Setting>& settings) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return false;
  for (const Setting& setting : settings) {
    if (!json.contains(setting.option)) return false;
    const CLI::Option* const option = command.get_option_no_throw(setting.option);
    if (option && option->count() > 0) continue;
    const Json& kept = json[setting.option];
    const bool fits = std::visit(
        [&](auto* value) {
          using Value = std::remove_pointer_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, std::optional<uint32_t>>) {
            if (!kept.is_null() && !kept.is_number_unsigned()) return false;
            *value = kept.is_null() ? std::nullopt : std::optional<uint32_t>(kept.get<uint32_t>());
          } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
            if (!kept.is_array()) return false;
            value->clear();
            for (const Json& item : kept) {
              if (!item.is_string()) return false;
              value->push_back(item.get<std::string>());
            }
          } else {
            if (std::is_same_v<Value, bool>          ? !kept.is_boolean()
                : std::is_same_v<Value, std::string> ? !kept.is_string()
                                                     : !kept.is_number_unsigned())
              return false;
            *value = kept.get<Value>();
          }
          return true;
        },
        setting.value);
    if (!fits) return false;
  }
  return true;
}

}  // namespace heddle::cli
