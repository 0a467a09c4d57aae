// SPDX-License-Identifier: Apache-2.0
#include "pure_waits.h"

#include "private_state.h"
#include "recorder.h"
#include "store_buffer.h"

namespace heddle::rt {
namespace {

bool has_changed(const Thread& thread) {
  const PureWatch& watch = thread.watch;
  if (watch.told) return true;
  for (uint32_t i = watch.from; i < watch.count; ++i) {
    const PureWatch::Look& look = watch.looks[i];
    if (!look.size) continue;
    uint64_t now = 0;
    copy_seen(thread, look.address, look.size, &now);
    if (now != look.value) return true;
  }
  return false;
}

}  // namespace

__attribute__((noinline)) void take_turn_to_look_slowly(Thread& self, uint64_t address, uint32_t size,
                                                        uint64_t operands) {
  PureWatch& watch = self.watch;
  PreservedRegisters preserved = {};
  heddle_preserved_registers(&preserved);
  watch.state = hash_of_frames(self, preserved, operands);
  if (HEDDLE_UNLIKELY(g.tells_states)) tell_state(self, preserved, operands);
  watch.size = size;
  uint32_t from = watch.count;
  while (from > 0) {
    const PureWatch::Look& look = watch.looks[from - 1];
    if (look.site == self.pending.site && look.address == address && look.state == watch.state) break;
    --from;
  }
  if (from == 0) {
    take_turn(self);
    return;
  }
  watch.from = from - 1;
  append(HeddleRecord{HEDDLE_REPEATS, 0, 0, 0, self.number, self.index, self.pending.site, 0,
                      self.index - watch.looks[watch.from].index, 0});
  watch.is_watching = true;
  watch.told = false;
  ++g.spinners;
  take_turn_when(self, has_changed);
  --g.spinners;
  watch.is_watching = false;
}

void remember_look(Thread& self, uint32_t site, uint64_t address, uint64_t value) {
  PureWatch& watch = self.watch;
  if (watch.count == PureWatch::kLooks) watch.count = 0;
  watch.looks[watch.count++] = {address, value, watch.state, site, self.index - 1, static_cast<uint8_t>(watch.size)};
}

void tell_watchers(uint64_t address) {
  for (Thread* thread = g.first; thread; thread = thread->next) {
    PureWatch& watch = thread->watch;
    if (!watch.is_watching) continue;
    for (uint32_t i = watch.from; i < watch.count; ++i)
      if (!watch.looks[i].size && watch.looks[i].address == address) watch.told = true;
  }
}

Thread* last_look() {
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (!thread->watch.is_watching || thread->watch.has_looked_last || thread->failed) continue;
    thread->watch.has_looked_last = true;
    return thread;
  }
  return nullptr;
}

bool somebody_watches() {
  for (Thread* thread = g.first; thread; thread = thread->next)
    if (thread->watch.is_watching) return true;
  return false;
}

}  // namespace heddle::rt
