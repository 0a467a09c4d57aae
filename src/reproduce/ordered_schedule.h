// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reproduce/explanation.h"
#include "schedule/schedule.h"
#include "trace/trace.h"

namespace heddle::reproduce {

// The schedule that performs operations of this run in another order. Whom each
// signal wakes follows from who resumes first.
schedule::Schedule schedule_in_order(const trace::Trace& trace, const std::vector<OrderStep>& order,
                                     schedule::MemoryModel memory);

}  // namespace heddle::reproduce
