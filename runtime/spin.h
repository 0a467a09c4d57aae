// SPDX-License-Identifier: Apache-2.0
//
// Recognising loops that wait for another thread: while (!flag); or a retried
// compare-and-swap or try-lock.
//
// A thread that reads the same values from the same places again and again, and
// changes nothing in between, is taken to be waiting: the strategies let all
// others go first until one of the values it reads has changed. This is only a
// preference of the strategies. A loop that merely looks like waiting goes on
// when nobody else can run, so no behaviour is lost.
#pragma once

#include "pure_waits.h"
#include "state.h"

namespace heddle::rt {

constexpr uint32_t kSpinAfter = 4;      // equal reads before a loop counts as waiting
constexpr uint32_t kPatientAfter = 64;  // the same with HEDDLE_REQUEST_PATIENT; then a yield counts as such a read

void spin_check(Thread& self, uint32_t site, uint64_t address, uint64_t value);

// The running thread learned a value (load, failed CAS or try-lock).
inline void note_read(Thread& self, uint32_t site, uint64_t address, uint64_t value) {
  spin_check(self, site, address, value);
  if (HEDDLE_UNLIKELY(g.pure_waits)) remember_look(self, site, address, value);
}

void wake_spinners(uint64_t address);

// The running thread did something that others, or its own next round, can see.
inline void note_progress(Thread& self) {
  self.spin.count = 0;
  self.watch.count = 0;
  self.watch.has_looked_last = false;
  g.idle = 0;
  if (HEDDLE_UNLIKELY(self.spinning)) {
    self.spinning = false;
    --g.spinners;
  }
}

// The running thread changed memory or a synchronisation object at `address`.
inline void note_change(Thread& self, uint64_t address) {
  note_progress(self);
  if (HEDDLE_UNLIKELY(g.spinners)) wake_spinners(address);
}

}  // namespace heddle::rt
