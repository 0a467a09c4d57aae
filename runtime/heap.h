// SPDX-License-Identifier: Apache-2.0
//
// The program's heap. Each thread allocates from the memory of its own slot,
// in order and without reuse, so an address depends only on what this thread
// allocated before. Fresh memory is zero. Every 16 bytes have a state, so that
// use after free and accesses just outside a block are found.
//
// With HEDDLE_HEAP_REUSE an allocation gets the block of its size, in units of 16
// bytes, that was released last, by whatever thread; only if there is none, a
// fresh one. So addresses come back, and depend on the schedule.
//
// Code without bitcode allocates from a second area of the slot: how often a
// library allocates must not move the program's own blocks.
#pragma once

#include "slots.h"
#include "state.h"

namespace heddle::rt {

// Blocks of instrumented code: recorded as visible operations.
void* program_allocate(Thread& self, size_t size, size_t alignment, uint32_t allocator, uint32_t site);
void* program_reallocate(Thread& self, void* block, size_t size, uint32_t site);
void program_release(Thread& self, void* block, uint32_t allocator, uint32_t site);

// Forgets the blocks that the last run released.
void reset_heap();

// Blocks of libraries: not recorded.
void* library_allocate(size_t size, size_t alignment);
void library_release(void* block);
size_t block_size(const void* block);

[[noreturn]] void bad_heap_access(uint64_t address, uint8_t state);

// Another thread's local variable whose function has returned. Of its own stack a thread may access what was never
// announced, such as arguments of variadic functions.
// Not inlined, and it preserves registers: frames of hooks count as state of the thread (private_state.h).
__attribute__((noinline, preserve_most)) void check_stack_access(uint64_t address);

// Ends the run if `size` bytes at `address` lie in the program heap but not in
// a live block.
inline void check_heap_access(uint64_t address, uint32_t size) {
  if (HEDDLE_LIKELY(!in_slots(address))) return;
  if (offset_in_slot(address) >= kLibraryHeapOffset) return check_stack_access(address);
  const uint8_t first = *shadow_of(address);
  const uint64_t end = address + size - 1;
  const uint8_t last = *shadow_of(end);
  if (HEDDLE_LIKELY(first == kGranuleLive && last == kGranuleLive)) return;
  if (first != kGranuleLive && first < kGranulePartial) bad_heap_access(address, first);
  if (last != kGranuleLive && (last < kGranulePartial || end % 16 >= last % 16)) bad_heap_access(address, last);
}

}  // namespace heddle::rt
