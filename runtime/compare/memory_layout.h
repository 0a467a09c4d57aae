// SPDX-License-Identifier: Apache-2.0
//
// Addresses that are the same in every run, whatever the threads' timing: each lane
// has a stretch of addresses of its own, with
//
//   the program's heap   blocks one after the other, never reused; a block is known
//                        by its lane and its number there
//   the library's heap   what libraries allocate on their own account; how much that is
//                        may depend on who comes first, so it must not move the program's
//   the stack
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "abi/comparison.h"

namespace heddle::compare {

constexpr uint64_t kLaneBytes = HEDDLE_LANE_ADDRESSES;
constexpr uint64_t kProgramHeapBytes = uint64_t{3} << 30;
constexpr uint64_t kLibraryHeapBytes = uint64_t{512} << 20;
constexpr uint64_t kStackBytes = uint64_t{256} << 20;
constexpr uint64_t kFirstLane = HEDDLE_FIRST_LANE_ADDRESS;

constexpr uint64_t lane_address(uint32_t number) { return kFirstLane + number * kLaneBytes; }
constexpr uint64_t library_heap(uint32_t number) { return lane_address(number) + kProgramHeapBytes; }

// Makes the addresses of a lane usable.
void map_lane_memory(uint32_t number);

// The block that has this address: lane and number in one, and the offset in it. In the
// fault-free run, and in this one.
bool find_known_block(uint64_t address, uint32_t& block, uint64_t& offset);
bool find_block(uint64_t address, uint32_t& block, uint64_t& offset);

// After the fault-free run, in the process from which all others are forked.
void index_known_blocks();

}  // namespace heddle::compare
