// SPDX-License-Identifier: Apache-2.0
#include "spin.h"

namespace heddle::rt {

void spin_check(Thread& self, uint32_t site, uint64_t address, uint64_t value) {
  SpinWatch& watch = self.spin;
  for (uint32_t i = 0; i < watch.count; ++i) {
    SpinWatch::Entry& entry = watch.entries[i];
    if (entry.site != site || entry.address != address) continue;
    if (entry.value != value) {  // something new: this is no longer the same round
      watch.count = 0;
      break;
    }
    if (++entry.seen >= g.spin_after && !self.spinning) {
      self.spinning = true;
      ++g.spinners;
    }
    ++g.idle;
    return;
  }
  if (self.spinning) {
    self.spinning = false;
    --g.spinners;
  }
  g.idle = 0;  // a read that was not there in the last round: the thread gets on with something
  if (watch.count == SpinWatch::kEntries) watch.count = 0;
  watch.entries[watch.count++] = {address, value, site, 1};
}

void wake_spinners(uint64_t address) {
  if (HEDDLE_UNLIKELY(g.pure_waits)) tell_watchers(address);
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (!thread->spinning) continue;
    for (uint32_t i = 0; i < thread->spin.count; ++i) {
      const uint64_t watched = thread->spin.entries[i].address;
      if ((watched ^ address) >> 4) continue;  // same 16 bytes
      thread->spinning = false;
      thread->spin.count = 0;
      --g.spinners;
      break;
    }
  }
}

}  // namespace heddle::rt
