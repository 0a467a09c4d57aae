// SPDX-License-Identifier: Apache-2.0
//
// From addresses in recorded code back to the module it was made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::build {

struct CodeRange {
  std::string function;  // its symbol
  uint64_t address = 0, size = 0;
};

// The functions of an executable, by address.
base::Result<std::vector<CodeRange>> functions_of(const std::string& executable);

// The instruction of the module that the code at `address` belongs to; 0: none.
uint32_t site_at(const std::string& executable, uint64_t address);

}  // namespace heddle::build
