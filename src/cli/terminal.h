// SPDX-License-Identifier: Apache-2.0
//
// What standard output is like: how wide, and whether it shows colours.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report/columns.h"

namespace heddle::cli {

// Of standard output: COLUMNS, else that of the terminal, else 100.
size_t terminal_width();

// --color=auto|always|never, for a command that prints with colours. `color` lives as
// long as the command, and begins as "auto".
void add_color_option(CLI::App& command, std::string& color);

// Width as above. Colour by `color`; auto: on a terminal, unless NO_COLOR is set to
// something or TERM is "dumb".
report::ColumnOptions terminal_columns(const std::string& color);

}  // namespace heddle::cli
