// SPDX-License-Identifier: Apache-2.0
//
// What surrounds an event of a trace: which functions its thread was in, which
// locks it held and where it had taken them.
//
// Functions are known from records of their beginning and end (--record=functions);
// without them there is only the function of the event itself. Callers have a line
// if the record says where they called (value2); what library code calls has none.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "causal/execution.h"
#include "naming/names.h"

namespace heddle::report {

struct Frame {
  std::string function, file;
  uint32_t line = 0;  // 0: not known
};

struct HeldLock {
  std::string lock;  // as the source calls it
  bool is_shared = false;
  Frame taken;
};

struct Circumstances {
  std::string action;        // "reads x: 1"; empty: the event is not in the trace
  std::vector<Frame> stack;  // innermost first
  std::vector<HeldLock> locks;
};

// Of each event, in the order given. One pass through the trace, which is controlled.
std::vector<Circumstances> circumstances_of(const naming::Names& names, std::span<const causal::EventId> events);

}  // namespace heddle::report
