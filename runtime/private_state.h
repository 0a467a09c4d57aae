// SPDX-License-Identifier: Apache-2.0
//
// What a thread knows that no event shows: registers, its stack, its
// thread-local storage, and what the runtime keeps for it. Two moments of a
// thread at which all this is equal are alike: from there on the thread does the
// same whenever it is told the same. All other memory that it can see is reached
// by hooks. Stores to the stack that wait in the thread's buffer count as well: what
// the thread sees of its own locals follows from its state.
//
// States are compared by hashes of 128 bits.
#pragma once

#include "state.h"

namespace heddle::rt {

struct PreservedRegisters {
  uint64_t registers[6];
  const uint64_t* stack;  // of the caller
};
extern "C" __attribute__((visibility("hidden"))) void heddle_preserved_registers(PreservedRegisters*);

inline uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 32);
}

// Of registers and stack alone; `operands`: of what the thread is about to do.
uint64_t hash_of_frames(const Thread& self, const PreservedRegisters& preserved, uint64_t operands);

// Writes a STATE record, unless foreign code may know more of the thread.
void tell_state(const Thread& self, const PreservedRegisters& preserved, uint64_t operands);

// The thread has registered an exit handler.
inline void note_handler(Thread& self, uint64_t function, uint64_t argument) {
  self.handlers = mixed(mixed(self.handlers, function), argument);
}

}  // namespace heddle::rt
