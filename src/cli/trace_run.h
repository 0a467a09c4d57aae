// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands.h"

namespace heddle::cli {

void add_trace_run(CLI::App& trace, Action& action, const ProgramArguments& arguments);

}  // namespace heddle::cli
