// SPDX-License-Identifier: Apache-2.0
//
// Names for addresses of a compared run: "global file.c:sum+8", "heap T0.1#3+16",
// "stack T0.1 main:i", "memory of T0.1+64" where nothing more is known.
#pragma once

#include <cstdint>
#include <string>

#include "propagate/engine/fault_free_run.h"

namespace heddle::propagate {

// `lane` and `word` say who met the address and when: locals come and go.
std::string object_name(const FaultFreeRun& run, uint64_t address, uint32_t lane, uint64_t word);

}  // namespace heddle::propagate
