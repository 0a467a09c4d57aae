// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace heddle::cli {

// The command or option nearest to what was typed, or empty.
std::string did_you_mean(const CLI::App& app, const std::vector<std::string>& typed);

// "heddle 0.1.0 (LLVM 19.1.7, ...)".
std::string version_text();

}  // namespace heddle::cli
