// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "build/numbered_program.h"

namespace heddle::build {

// By site of a switch: for each successor its number among the distinct blocks, in
// order of their first appearance, the default first. Recordings have these numbers.
std::map<uint32_t, std::vector<uint32_t>> switch_numbers(const NumberedProgram& program);

}  // namespace heddle::build
