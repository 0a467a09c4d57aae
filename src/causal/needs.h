// SPDX-License-Identifier: Apache-2.0
//
// What an operation needs from other threads so that it can happen as recorded:
// a write for the value it read, a post for a semaphore, a signal for a wait.
// Often several operations could serve. A set of operations that is closed
// under the order of threads and under needs is a candidate for a partial
// execution; whether it has a feasible order is the solver's question.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "causal/event_table.h"
#include "causal/execution.h"
#include "causal/list_store.h"
#include "causal/must_order.h"
#include "causal/sections.h"
#include "causal/write_sources.h"

namespace heddle::causal {

struct Need {
  // Perhaps none is needed: memory or the object was right at first, or the
  // thread itself served.
  bool may_be_met = false;
  std::span<const EventId> servers;  // in other threads; one of them, if not met already
};

// All that follows from one execution and that many questions use. It never
// changes, so any number of threads may use it at once.
class Dependences {
 public:
  // `execution` must outlive this.
  explicit Dependences(const Execution& execution);

  const Execution& execution() const { return execution_; }
  const MustOrder& must_order() const { return must_order_; }
  // Of an operation that reads memory.
  std::span<const Segment> segments(EventId read) const { return segments_[read]; }
  const std::vector<HeldSection>& sections(ThreadId thread) const { return sections_[thread]; }

  // Of the operation as recorded.
  std::span<const Need> needs(EventId event) const { return needs_[event]; }
  // If it happened as `operation` instead; its place in the program is the same.
  // Adds them to `needs`; their servers live as long as the store.
  void add_needs_as(EventId event, const HeddleRecord& operation, std::vector<Need>& needs, ListStore& store) const;

  // Tokens of a semaphore before its first operation.
  uint64_t initial_tokens(uint64_t semaphore) const;
  // Size of the heap block at this address, 0 if none was allocated there.
  uint64_t block_size(uint64_t address) const;
  uint64_t barrier_count(uint64_t barrier) const;  // 0: not known
  // The n-th arrival of a thread at a barrier (round n), if there is one.
  std::vector<EventId> arrivals(uint64_t barrier, uint64_t round) const;

 private:
  void collect();
  void add_memory_needs(EventId event, const HeddleRecord& operation, std::vector<Need>& needs, ListStore& store) const;
  void add_lock_holder(EventId event, const HeddleRecord& operation, std::vector<Need>& needs, ListStore& store) const;
  void add_servers(EventId event, std::span<const EventId> servers, bool may_be_met, std::vector<Need>& needs,
                   ListStore& store) const;

  const Execution& execution_;
  const MustOrder must_order_;
  ListStore store_;
  EventTable<std::span<const Segment>> segments_;
  EventTable<std::span<const Need>> needs_;
  std::vector<std::vector<HeldSection>> sections_;
  std::unordered_map<uint64_t, std::vector<EventId>> wakers_;    // signals, broadcasts, notifications by address
  std::unordered_map<uint64_t, std::vector<EventId>> posts_;     // by semaphore
  std::unordered_map<uint64_t, std::vector<EventId>> done_;      // successful ends of one-time initialisations
  std::unordered_map<uint64_t, std::vector<EventId>> arrivals_;  // by barrier
  std::unordered_map<uint64_t, uint64_t> tokens_, counts_, blocks_;
  std::vector<EventId> created_by_;
};

}  // namespace heddle::causal
