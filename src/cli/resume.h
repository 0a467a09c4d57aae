// SPDX-License-Identifier: Apache-2.0
//
// A check that is resumed is made with the words of the first one: they are
// kept in its checkpoint, as JSON. Words that the user gives again count; the
// check itself refuses them if they do not fit.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"

namespace heddle::cli {

// An option that belongs to what is explored, and where its value is.
struct Setting {
  const char* option;
  std::variant<std::string*, std::vector<std::string>*, bool*, uint32_t*, uint64_t*, std::optional<uint32_t>*> value;
};

std::string settings_text(const std::vector<Setting>& settings);
// Sets those that are not on the command line. False: this is not what settings_text gives.
bool apply_settings(const std::string& text, const CLI::App& command, const std::vector<Setting>& settings);

}  // namespace heddle::cli
