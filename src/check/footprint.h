// SPDX-License-Identifier: Apache-2.0
//
// What a step touches, and when the order of two steps matters. Two steps of
// different processes are independent if neither touches with a write what the
// other touches; then they can be swapped and nobody notices. Where it is not
// known what a step does, it touches everything. Whether one step makes another
// possible is no question of footprints: executions say that themselves.
//
// Buffered stores touch memory when they leave the buffer. A thread's operation
// and the flush of its own store are independent whenever both can happen: a load
// gets the store's value from the buffer or from memory, or that of a newer store
// from the buffer. Where the operation must wait for the store, it is not possible
// before the flush.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "causal/execution.h"
#include "check/run_points.h"
#include "schedule/memory_model.h"

namespace heddle::check {

struct Touch {
  enum class Space : uint8_t { kMemory, kLife, kThread, kOutside, kHeap } space = Space::kMemory;
  bool writes = false;
  uint64_t address = 0, size = 1;
};

struct Footprint {
  Process process;
  uint32_t index = 0;  // of the operation in its thread; a flush has none of its own
  std::vector<Touch> touches;
  bool everything = false;
  // Only plain accesses to memory: two of them that conflict can always be swapped.
  bool is_access = false;
  bool takes_mutex = false;                // and waits for it if need be
  bool drains_buffer = false;              // waits for the stores of its thread
  bool follows_thread = false;             // start of a thread, join: what it waits for always comes first
  std::optional<causal::ThreadId> joined;  // all of this thread comes first
};

class Footprints {
 public:
  Footprints(const causal::Execution& execution, schedule::MemoryModel model, bool reuses_addresses)
      : execution_(execution), model_(model), reuses_addresses_(reuses_addresses) {}

  Footprint of(const RunPoint& point) const;
  // Of what a thread waits to do at the end of the execution.
  Footprint of(const causal::Waiting& waiting) const;

 private:
  void add(causal::EventId event, const HeddleRecord& operation, Footprint& footprint) const;
  void add_memory(const HeddleRecord& operation, Footprint& footprint) const;
  void add_ends_of_locals(causal::EventId event, Footprint& footprint) const;
  void add_thread(causal::EventId event, const HeddleRecord& operation, Footprint& footprint) const;
  void add_object(causal::EventId event, const HeddleRecord& operation, Footprint& footprint) const;
  uint64_t type_at(uint64_t lock) const;
  uint64_t mutex_of_wait(causal::EventId event, const HeddleRecord& operation) const;
  uint64_t block_size(uint64_t address) const;

  const causal::Execution& execution_;
  const schedule::MemoryModel model_;
  const bool reuses_addresses_;
};

// Can the order of the two make a difference? Of one process: always.
bool are_dependent(const Footprint& one, const Footprint& other);

// Do they touch the same, written or not?
bool overlap(const Footprint& one, const Footprint& other);

// Can one of two dependent steps certainly come first, whichever it is?
bool can_be_swapped(const Footprint& earlier, const Footprint& later);

}  // namespace heddle::check
