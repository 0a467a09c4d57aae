// SPDX-License-Identifier: Apache-2.0
//
// One moment per event for traces that are drawn: such that each thread's events
// follow each other and ordered events stand in their order. Same trace, same
// moments.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace heddle::trace {

// The moment of each event of trace.events, by place.
std::vector<uint64_t> timeline(const Trace& trace);

}  // namespace heddle::trace
