// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reproduce/beginning.h"
#include "reproduce/explanation.h"
#include "reproduce/known_paths.h"
#include "schedule/schedule.h"

namespace heddle::reproduce {

// The schedule that performs operations of the known ways in this order, after the beginning if there is one. Whom
// each signal wakes follows from who resumes first.
schedule::Schedule schedule_in_order(const KnownPaths& known, const std::vector<OrderStep>& order,
                                     schedule::MemoryModel memory, const Beginning* beginning = nullptr);

}  // namespace heddle::reproduce
