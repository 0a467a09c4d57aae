// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heddle::check {

// Values of one choice (heddle_nondet_int) that are tried; HEDDLE_GAP_CHOICE_VALUES says so when there are more.
inline constexpr uint64_t kMostChoiceValues = 4096;

}  // namespace heddle::check
