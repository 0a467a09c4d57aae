// SPDX-License-Identifier: Apache-2.0
//
// perf runs the program and has the processor trace its code. Only the program's own code is
// traced (a filter by address), in user mode.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "build/target.h"

namespace heddle::record::pt {

// The perf to use; an Error: the processor's trace cannot be had here, and why. $HEDDLE_PERF names
// a program that does what perf does, on a machine where it can.
base::Result<std::string> find_perf();

// What to run in place of the program, all but its arguments.
base::Result<std::vector<std::string>> traced_command(const build::Target& target, const std::string& perf,
                                                      const std::string& output);

}  // namespace heddle::record::pt
