// SPDX-License-Identifier: Apache-2.0
//
// Help in two lengths, both from the table of options. -h fits on a screen: one line for
// each option that people reach for, and two examples. --help has everything, and begins
// with examples.
#pragma once

#include <cstddef>
#include <string>

#include "cli/option_table.h"

namespace heddle::cli {

// `width`: columns of the terminal.
std::string short_help(const CommandEntry& entry, size_t width);
std::string long_help(const CommandEntry& entry, size_t width);

// The command that was chosen on the command line: "trace run"; empty if none was.
std::string chosen_name(const CLI::App& app);

// The help of the command that was chosen on the command line, or of heddle.
std::string help_of_chosen(const CLI::App& app, bool whole, size_t width);

}  // namespace heddle::cli
