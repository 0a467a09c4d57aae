// SPDX-License-Identifier: Apache-2.0
//
// Three accesses of a window that may be an atomicity violation: two that a thread
// makes one after the other to some byte, in one block, and one of another thread to
// that byte, such that the three do harm in this order. Left out are those that a
// lock keeps apart: the thread holds it from the first to the last, and the other
// one holds it too. From one section of a lock to the next the first access must
// be a read, and the last at another place: what was written and given free is for
// others to see, and who looks again at the same place waits for a change.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "causal/execution.h"
#include "predict/atomic_blocks.h"
#include "predict/carried_state.h"
#include "trace/trace.h"

namespace heddle::predict {

struct InterferenceCandidate {
  size_t first, middle, last;  // places in the trace
  const char* pattern;
  const AtomicBlock* block;
};

// Of events [begin, end); `state` is that before `begin`. `is_wanted` is asked last.
std::vector<InterferenceCandidate> find_interference_candidates(
    const trace::Trace& trace, size_t begin, size_t end, const CarriedState& state, const AtomicBlocks& blocks,
    const std::function<bool(const InterferenceCandidate&)>& is_wanted);

}  // namespace heddle::predict
