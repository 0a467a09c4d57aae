// SPDX-License-Identifier: Apache-2.0
//
// Loops that provably do nothing but wait: while (!flag); a test-and-set or a
// try-lock that is tried again.
//
// When a thread comes back to a look (a load, a failed exchange or attempt)
// with the same private state as at an earlier one (registers and stack are all
// it has besides memory that hooks see), and has changed nothing in between,
// then it goes round in the same way until one of the values it looked at
// changes. So it waits for that, as for a lock. Only on request
// (HEDDLE_REQUEST_PURE_WAITS); spin.h has a rule of thumb for other runs.
//
// A REPEATS record before the look says how many operations one round has. When
// nothing else can happen any more, each such thread looks once more, so that
// the trace shows what it waits for; then the run ends as a livelock.
#pragma once

#include "scheduler.h"
#include "state.h"

namespace heddle::rt {

void take_turn_to_look_slowly(Thread& self, uint64_t address, uint32_t size, uint64_t operands);

// Instead of take_turn, before an operation that may turn out to change
// nothing. `size` 0: not memory but an object of synchronisation. `operands`:
// what the operation does depends on them.
inline void take_turn_to_look(Thread& self, uint64_t address, uint32_t size, uint64_t operands = 0) {
  if (HEDDLE_UNLIKELY(g.pure_waits)) {
    take_turn_to_look_slowly(self, address, size, operands);
  } else {
    take_turn(self);
  }
}

// The look just taken found `value` and changed nothing.
void remember_look(Thread& self, uint32_t site, uint64_t address, uint64_t value);

// Something at `address` has changed: whoever waits for it can look again.
void tell_watchers(uint64_t address);

// A thread that waits so and has not looked a last time; null: none.
Thread* last_look();
bool somebody_watches();

}  // namespace heddle::rt
