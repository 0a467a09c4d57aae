// SPDX-License-Identifier: Apache-2.0
//
// The memory models under which a program can be run: when the stores of a
// thread are seen by others. src/abi/store_buffer.h says what each means.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "abi/channel.h"

namespace heddle::schedule {

enum class MemoryModel : uint32_t {
  kSc = HEDDLE_MEMORY_SC,    // at once
  kTso = HEDDLE_MEMORY_TSO,  // later, in the order of the thread
  kPso = HEDDLE_MEMORY_PSO,  // later, in order only for each location
};

// "sc", "tso", "pso"
const char* memory_model_name(MemoryModel model);
std::optional<MemoryModel> find_memory_model(std::string_view name);

}  // namespace heddle::schedule
