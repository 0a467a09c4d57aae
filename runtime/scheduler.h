// SPDX-License-Identifier: Apache-2.0
//
// Who goes next. A thread about to perform a visible operation announces it and
// calls take_turn; the scheduler first follows the steps of the requested
// schedule, then the requested strategy. When take_turn returns, the operation
// may and must happen now.
#pragma once

#include "options.h"
#include "recorder.h"
#include "state.h"

namespace heddle::rt {

// Steps and strategies. Switches away as needed; returns when it is self's turn.
void take_turn_slowly(Thread& self);

// For operations that can always happen.
inline void take_turn(Thread& self) {
  if (HEDDLE_UNLIKELY(self.buffered)) return take_turn_slowly(self);
  if (g.step < g.step_count) {
    const HeddleStep& step = g.steps[g.step];
    if (step.kind == HEDDLE_STEP_OP && step.name == self.name && step.index == self.index &&
        (step.site == 0 || step.site == self.pending.site)) {
      ++g.step;
      return;
    }
  } else if (g.strategy == HEDDLE_STRATEGY_DEFAULT && !self.spinning && !g.lists_options && !g.holds) {
    return;
  }
  take_turn_slowly(self);
}

// Announces an operation that may have to wait: it can happen when ready(self)
// holds, or, if allowed, by time-out or spuriously; the result says how.
Turn take_turn_when(Thread& self, Ready ready, bool may_time_out = false, bool may_wake_spuriously = false);

// The running thread has ended; lets another go on, or ends the run.
[[noreturn]] void thread_leaves(Thread& self);

[[noreturn]] void stack_overflow(Thread& self);

// Counts how often the thread has come to this place; beyond the bound on loops
// it stays there for ever.
void count_visit(Thread& self, uint32_t site);

// Sets the announced operation.
inline void announce(Thread& self, uint8_t kind, uint64_t address, uint32_t site, uint8_t size = 0, uint8_t order = 0,
                     uint8_t flags = 0) {
  if (HEDDLE_UNLIKELY(reinterpret_cast<uint64_t>(__builtin_frame_address(0)) < self.stack_limit)) stack_overflow(self);
  if (HEDDLE_UNLIKELY(g.loop_bound)) count_visit(self, site);
  self.pending = Operation{kind, size, order, flags, site, address, 0};
  if (site) self.site = site;
}

// Records the operation that the running thread has just performed.
void event_limit_reached();
inline void record(Thread& self, uint8_t kind, uint8_t size, uint8_t order, uint8_t flags, uint32_t site,
                   uint64_t address, uint64_t value, uint64_t value2) {
  append(HeddleRecord{kind, size, order, flags, self.number, self.index, site, address, value, value2});
  ++self.index;
  if (HEDDLE_UNLIKELY(g.avoids)) stop_avoiding(self, kind, address, size);
  if (HEDDLE_UNLIKELY(++g.events == g.event_limit)) event_limit_reached();
}
inline void record(Thread& self, uint64_t value = 0, uint64_t value2 = 0, uint8_t flags = 0) {
  const Operation& op = self.pending;
  record(self, op.kind, op.size, op.order, flags, op.site, op.address, value, value2);
}

// Which of several waiters a signal wakes: the schedule's choice if the next
// step names one, else the one that has waited longest (or any, at random).
// `left`: so many will be woken, this one included.
Thread* choose_waiter(const SyncObject* object, uint32_t left = 1);

// A value between lowest and highest: from the schedule, the strategy, or the lowest.
int64_t choose_value(Thread& self, int64_t lowest, int64_t highest);

uint64_t next_random();
void scheduler_begin(const HeddleRequest& request);

}  // namespace heddle::rt
