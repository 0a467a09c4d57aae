// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "check/options.h"

namespace heddle::check {

// "mcr", "mcr-published", ...
const char* reduction_name(Reduction reduction);
std::optional<Reduction> find_reduction(std::string_view name);
std::vector<const char*> reduction_names();
// It asks which operations depend on which values.
bool uses_dependence(Reduction reduction);

}  // namespace heddle::check
