// SPDX-License-Identifier: Apache-2.0
//
// Which operations of a thread are meant to happen without others in between? A
// trace does not say; what people write does, mostly:
//
//   - a critical section, and
//   - all critical sections of one lock in one call of a function: what the
//     function finds under the lock it uses under the lock later. A section that
//     comes again, as in a loop, begins a new block, and so does one after a wait
//     for a condition;
//   - a call of a function that the user names.
//
// A section belongs to the innermost call that is there when the lock is taken and
// when it is given back, so guards (std::lock_guard) belong to who declares them.
// Two sections are the same if the lock is taken at the same place and the first
// operation after that is at the same place. Without records of functions each
// section is a block of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "causal/execution.h"
#include "trace/trace.h"

namespace heddle::predict {

struct AtomicBlock {
  uint32_t thread = 0;
  uint32_t first = 0, last = 0;  // indices of its operations
  uint64_t lock = 0;             // of its sections; 0: named by the user
  uint32_t function_site = 0;    // in the function
};

class AtomicBlocks {
 public:
  explicit AtomicBlocks(std::vector<AtomicBlock> blocks);

  // One that has both operations, of the same thread, the first not after the last; null: none.
  const AtomicBlock* around(causal::EventId first, causal::EventId last) const;

 private:
  struct OfThread {
    std::vector<AtomicBlock> blocks;  // by their beginnings
    std::vector<size_t> longest;      // up to each: the one that ends last
  };
  std::vector<OfThread> threads_;
};

// Of a controlled trace. `functions`: patterns (* and ?) of names.
AtomicBlocks find_atomic_blocks(const trace::Trace& trace, const std::vector<std::string>& functions);

}  // namespace heddle::predict
