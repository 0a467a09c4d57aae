// SPDX-License-Identifier: Apache-2.0
//
// Whether two events of two runs are the same up to canonical names.
#pragma once

#include <cstdint>
#include <optional>

#include "naming/alignment.h"

namespace heddle::naming {

// What differs, in the order of DifferenceKind; nothing if they are the same.
// Events are places in Trace::events of each run.
std::optional<DifferenceKind> compare_events(const Names& first, uint32_t first_event, const Names& second,
                                             uint32_t second_event, const AlignOptions& options);

}  // namespace heddle::naming
