// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "build/numbered_program.h"

namespace heddle::build {

// Sites of reads of which recordings with values have a check (pass/read_values.h).
std::set<uint32_t> recorded_reads(const NumberedProgram& program);

}  // namespace heddle::build
