// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands.h"

namespace heddle::cli {

// dump, stats, validate, diff, export.
void add_trace_view(CLI::App& trace, Action& action);

}  // namespace heddle::cli
