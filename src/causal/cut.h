// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "causal/execution.h"

namespace heddle::causal {

// A part of an execution: of each thread, by ThreadId, its first so many
// operations. Threads beyond the end have none.
using Cut = std::vector<uint32_t>;

inline bool contains(const Cut& cut, EventId event) {
  return event.thread < cut.size() && event.index < cut[event.thread];
}

// An operation that might turn out differently: the same place in the program,
// another result. Or one that a thread was waiting to do when the execution
// ended; its index is then one beyond the thread's last. What the thread does
// after it is not known.
struct Alternative {
  EventId event;
  HeddleRecord operation;
};

}  // namespace heddle::causal
