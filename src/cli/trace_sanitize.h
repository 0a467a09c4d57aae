// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands.h"

namespace heddle::cli {

void add_trace_sanitize(CLI::App& trace, Action& action);

}  // namespace heddle::cli
