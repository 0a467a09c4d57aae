// SPDX-License-Identifier: Apache-2.0
#include "pure_waits.h"

#include "recorder.h"
#include "store_buffer.h"

// Stores the registers that calls preserve, and the stack pointer of the caller.
struct PreservedRegisters {
  uint64_t registers[6];
  const uint64_t* stack;
};
extern "C" __attribute__((visibility("hidden"))) void heddle_preserved_registers(PreservedRegisters*);
asm(R"(
  .text
  .globl heddle_preserved_registers
  .hidden heddle_preserved_registers
  .type heddle_preserved_registers, @function
heddle_preserved_registers:
  movq %rbx, 0(%rdi)
  movq %rbp, 8(%rdi)
  movq %r12, 16(%rdi)
  movq %r13, 24(%rdi)
  movq %r14, 32(%rdi)
  movq %r15, 40(%rdi)
  leaq 8(%rsp), %rax
  movq %rax, 48(%rdi)
  ret
  .size heddle_preserved_registers, . - heddle_preserved_registers
)");

namespace heddle::rt {
namespace {

uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 32);
}

__attribute__((noinline)) uint64_t hash_of_stack(const uint64_t* from, const uint64_t* to, uint64_t hash) {
  for (; from < to; ++from) hash = mixed(hash, *from);
  return hash;
}

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

__attribute__((noinline)) void take_turn_to_look_slowly(Thread& self, uint64_t address, uint32_t size, uint64_t operands) {
  PureWatch& watch = self.watch;
  PreservedRegisters preserved = {};
  heddle_preserved_registers(&preserved);
  watch.state = hash_of_stack(preserved.stack, reinterpret_cast<const uint64_t*>(self.stack_top), operands);
  for (const uint64_t value : preserved.registers) watch.state = mixed(watch.state, value);
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
