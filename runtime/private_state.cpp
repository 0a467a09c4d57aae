// SPDX-License-Identifier: Apache-2.0
#include "private_state.h"

#include "recorder.h"
#include "slots.h"

// Stores the registers that calls preserve, and the stack pointer of the caller.
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

// Two hashes of the same words.
struct Hashes {
  uint64_t one, other;
  void add(uint64_t word) {
    one = mixed(one, word);
    other = (other + word) * 0xd6e8feb86659fd93;
    other ^= other >> 29;
  }
};

// Stores to the thread's own stack that have not reached it: the thread sees them.
void add_waiting(const Thread& self, const PreservedRegisters& preserved, Hashes& hashes) {
  const uint64_t from = reinterpret_cast<uint64_t>(preserved.stack), to = reinterpret_cast<uint64_t>(self.stack_top);
  for (uint32_t place = self.stores.first; place < self.stores.end; ++place) {
    const BufferedStore& store = self.stores.items[place];
    if (!store.size || store.address + store.size <= from || store.address >= to) continue;
    const uint64_t words[] = {store.address, store.size, store.value, store.value2};
    for (const uint64_t word : words) hashes.add(word);
  }
}

}  // namespace

__attribute__((noinline)) uint64_t hash_of_frames(const Thread& self, const PreservedRegisters& preserved,
                                                  uint64_t operands) {
  uint64_t hash = operands;
  for (const uint64_t* word = preserved.stack; word < reinterpret_cast<const uint64_t*>(self.stack_top); ++word)
    hash = mixed(hash, *word);
  for (const uint64_t value : preserved.registers) hash = mixed(hash, value);
  return hash;
}

__attribute__((noinline)) void tell_state(const Thread& self, const PreservedRegisters& preserved, uint64_t operands) {
  if (self.used_foreign_code) return;
  Hashes hashes = {operands, ~operands};
  for (const uint64_t* word = preserved.stack; word < reinterpret_cast<const uint64_t*>(self.stack_top); ++word)
    hashes.add(*word);
  for (const uint64_t value : preserved.registers) hashes.add(value);
  if (self.buffered) add_waiting(self, preserved, hashes);
  const Slot& slot = *self.slot;
  const uint64_t* const storage_end = reinterpret_cast<const uint64_t*>(slot.tls_start + slot.tls_size / 8 * 8);
  for (const uint64_t* word = reinterpret_cast<const uint64_t*>(slot.tls_start); word < storage_end; ++word)
    hashes.add(*word);
  for (uint32_t key = 0; key < self.keys_used; ++key) hashes.add(reinterpret_cast<uint64_t>(self.keys[key]));
  const uint64_t* const label = reinterpret_cast<const uint64_t*>(self.label);
  const uint64_t kept[] = {self.children,
                           slot.heap_used,
                           slot.library_used,
                           static_cast<uint64_t>(self.clock),
                           self.signals_blocked,
                           self.handlers,
                           reinterpret_cast<uint64_t>(self.cleanup),
                           self.thread_exit.count,
                           label[0],
                           label[1],
                           uint64_t{self.exiting} | uint64_t{self.cancel_disabled} << 1};
  for (const uint64_t word : kept) hashes.add(word);
  append(HeddleRecord{HEDDLE_STATE, 0, 0, 0, self.number, self.index, self.pending.site, 0, hashes.one, hashes.other});
}

}  // namespace heddle::rt
