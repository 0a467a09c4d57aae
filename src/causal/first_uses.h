// SPDX-License-Identifier: Apache-2.0
//
// Which reads matter to a part of an execution? A thread's operation depends on
// some of the values that its thread has read before: they decide whether it
// happens, where, and what it writes. A load on whose value no operation of the
// part depends may return anything; the part would be the same.
//
// Per load, the first later operation of its thread that depends on it: up to
// there, the load does not matter.
#pragma once

#include <functional>

#include "causal/event_table.h"
#include "causal/execution.h"

namespace heddle::causal {

// What the program's text says, by sites.
struct SiteInfluence {
  // May what happens at `later` (its address, what it writes) depend on the value that `earlier` returned?
  std::function<bool(uint32_t later, uint32_t earlier)> reaches;
  // May that value decide which operations follow at all?
  std::function<bool(uint32_t site)> steers;
};

constexpr uint32_t kNeverUsed = ~0u;

class FirstUses {
 public:
  // Without any knowledge of the program: every read matters to everything.
  explicit FirstUses(const Execution& execution);
  FirstUses(const Execution& execution, const SiteInfluence& influence);

  // The operation of the same thread that uses it first; itself, if it matters
  // as soon as it happens.
  uint32_t of(EventId operation) const { return first_[operation]; }
  // No operation of its thread's first `length` ones depends on it.
  bool is_free(EventId operation, uint32_t length) const {
    return of(operation) >= length && of(operation) != operation.index;
  }
  // It is the first to use some load.
  bool uses_first(EventId operation) const { return uses_first_[operation] != 0; }
  // Loads of a thread that are free in some part of the execution; ascending.
  const std::vector<uint32_t>& late_used(ThreadId thread) const { return late_used_[thread]; }

 private:
  EventTable<uint32_t> first_;
  std::vector<std::vector<uint32_t>> late_used_;  // by thread
  EventTable<uint8_t> uses_first_;
};

}  // namespace heddle::causal
