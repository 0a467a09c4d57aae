// SPDX-License-Identifier: Apache-2.0
//
// Where a thread of the program lives: its heap, its stack and its thread-local
// storage lie at addresses that follow from its name alone, so that pointers
// are the same in every run, whatever the schedule, and with either carrier.
//
//   slot base + 0        program heap      (what instrumented code allocates)
//             + 1 GiB    library heap      (what code without bitcode allocates)
//             + 1.5 GiB  stack of the program's thread, growing down from its end
//             + 2 GiB - 64 MiB  a small stack on which an operating-system thread is
//                        created; the C library places the thread-local storage there
//
// The operating-system thread of a slot serves both carriers. Under the fiber
// carrier it sleeps for ever and only lends its thread-local storage: a fiber
// runs with the FS base of that thread, so that errno, exception state and
// every thread_local, also in code that Heddle did not compile, are the fiber's own.
#pragma once

#include "state.h"

namespace heddle::rt {

constexpr uint64_t kSlotBase = 0x100000000000;
constexpr uint64_t kSlotStride = 1ull << 31;
constexpr uint32_t kSlotCount = 1u << 14;
constexpr uint32_t kDirectSlots = 1u << 13;  // T0 and its children; deeper names are hashed beyond
constexpr uint64_t kLibraryHeapOffset = 1ull << 30;
constexpr uint64_t kStackOffset = 3ull << 29;
constexpr uint64_t kStackSpan = (1ull << 31) - (64ull << 20) - kStackOffset;
constexpr uint64_t kStackSize = 8ull << 20;
constexpr uint64_t kCarrierStackOffset = (1ull << 31) - (64ull << 20);

// One byte says what 16 bytes of program heap or stack are; on a stack, whether
// they belong to a local variable that was announced.
constexpr uint64_t kShadowBase = 0x400000000000;
enum : uint8_t {
  kGranuleNone = 0,
  kGranuleLive = 1,
  kGranuleFreed = 2,
  kGranuleHeader = 3,
  kGranulePartial = 16,  // plus how many of its bytes, 1 to 15, are live
};

struct Slot {
  uint32_t number;
  bool mapped;
  bool in_use;
  uint64_t heap_used;  // bytes from the start of each heap
  uint64_t library_used;
  uint64_t stack_size;
  uint64_t stack_objects;  // lowest address on the stack that was announced as an object; 0: none
  uint64_t fs_base;        // of the slot's operating-system thread; 0: not created
  char* tls_start;         // its static thread-local storage, and how it was when new
  size_t tls_size;
  char* tls_image;
  uint32_t baton;  // thread carrier: raised when the thread may run
  Thread* thread;  // thread carrier: what to run
  char* base() const { return reinterpret_cast<char*>(kSlotBase + number * kSlotStride); }
  char* stack_top() const { return base() + kStackOffset + kStackSpan; }
};

// The slot for a new thread; depends only on its name, except when two hashed
// names fall on the same number. Null when there are no slots left.
Slot* take_slot(const Thread* parent, uint32_t child_number, uint64_t stack_size);

// Prepares the slots of the first `count` threads, T0 among them, so that runs in
// forked children find them ready.
void prepare_slots(uint32_t count);

// Makes sure the slot has its operating-system thread.
void lend_thread_storage(Slot& slot);

// Gives all slots back, with empty heaps and new thread-local storage.
void reset_slots();

// What an operating-system thread of a slot does; set by the carrier.
extern void (*slot_thread_body)(Slot&);

inline bool in_slots(uint64_t address) { return address - kSlotBase < kSlotCount * kSlotStride; }
inline Slot* slot_of(uint64_t address);
extern Slot* g_slots;
inline Slot* slot_of(uint64_t address) { return &g_slots[(address - kSlotBase) / kSlotStride]; }
inline uint64_t offset_in_slot(uint64_t address) { return (address - kSlotBase) % kSlotStride; }
inline uint8_t* shadow_of(uint64_t address) {
  return reinterpret_cast<uint8_t*>(kShadowBase + (address - kSlotBase) / 16);
}

}  // namespace heddle::rt
