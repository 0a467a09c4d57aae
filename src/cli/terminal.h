// SPDX-License-Identifier: Apache-2.0
//
// What standard output is like: how wide, and whether it shows colours.
#pragma once

#include "report/columns.h"

namespace heddle::cli {

// Width: COLUMNS, else that of the terminal, else 100. Colour: on a terminal,
// unless NO_COLOR is set to something or TERM is "dumb".
report::ColumnOptions terminal_columns();

}  // namespace heddle::cli
