// SPDX-License-Identifier: Apache-2.0
//
// The hooks that run for every load and store. They are also compiled to
// bitcode (free_hooks.bc), which src/build/free_hooks.h puts into the program,
// so that an access costs a few instructions beside the access itself and no
// call. What is rare is left to __heddle_free_append.
#include "abi/free_channel.h"
#include "abi/hooks.h"

#define HEDDLE_HOT extern "C" __attribute__((visibility("default"), used))

extern "C" __attribute__((visibility("default"), tls_model("initial-exec"))) __thread HeddleFreeLog* __heddle_free_log;
// Keeps most registers: it is called from the middle of the program's code.
extern "C" __attribute__((preserve_most)) void __heddle_free_append(uint64_t shape, uint32_t site, uint64_t address,
                                                                    uint64_t value);

namespace {

template <uint8_t kKind, typename T>
HEDDLE_SLOT_INLINE void log_access(const void* pointer, T value, uint32_t order, uint32_t site) {
  const uint64_t tag = heddle_slot_tag(kKind, sizeof(T), static_cast<uint8_t>(order), 0, site);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  HeddleFreeLog* log = __heddle_free_log;
  HeddleFreeChunk* chunk = log->chunk;
  const uint64_t out = chunk->end;
  HeddleSlot* slot = &log->slots[site % HEDDLE_SLOTS];
  if (__builtin_expect(out > log->limit || slot->tag != tag, 0)) {
    __heddle_free_append(tag & 0xffffffffu, site, address, value);
    return;
  }
  unsigned char* end = heddle_slot_put(reinterpret_cast<unsigned char*>(out), slot, site % HEDDLE_SLOTS,
                                       heddle_slot_value_bits(kKind, sizeof(T)), address, value);
  // The bytes before their end: stores of a thread are seen in their order, and
  // the compiler keeps to it. (It would not keep fields in registers across an
  // atomic store.)
  __atomic_signal_fence(__ATOMIC_RELEASE);
  chunk->end = reinterpret_cast<uint64_t>(end);
  ++log->index;
}

// The program's memory may hold anything.
template <typename T>
using Any [[gnu::may_alias]] = T;

template <typename T>
HEDDLE_SLOT_INLINE T logged_load(const void* pointer, uint32_t order, uint32_t site) {
  const T value = order & 0xff ? __atomic_load_n(static_cast<const Any<T>*>(pointer), __ATOMIC_SEQ_CST)
                               : *static_cast<const volatile Any<T>*>(pointer);
  log_access<HEDDLE_LOAD, T>(pointer, value, order, site);
  return value;
}

template <typename T>
HEDDLE_SLOT_INLINE void logged_store(void* pointer, T value, uint32_t order, uint32_t site) {
  log_access<HEDDLE_STORE, T>(pointer, value, order, site);
  if (order & 0xff) {
    __atomic_store_n(static_cast<Any<T>*>(pointer), value, __ATOMIC_SEQ_CST);
  } else {
    *static_cast<volatile Any<T>*>(pointer) = value;
  }
}

}  // namespace

#define HEDDLE_HOT_HOOKS(bytes, type)                                                               \
  HEDDLE_HOT type __heddle_load##bytes(const void* address, uint32_t order, uint32_t site) {        \
    return logged_load<type>(address, order, site);                                                 \
  }                                                                                                 \
  HEDDLE_HOT void __heddle_store##bytes(void* address, type value, uint32_t order, uint32_t site) { \
    logged_store<type>(address, value, order, site);                                                \
  }
HEDDLE_HOT_HOOKS(1, uint8_t)
HEDDLE_HOT_HOOKS(2, uint16_t)
HEDDLE_HOT_HOOKS(4, uint32_t)
HEDDLE_HOT_HOOKS(8, uint64_t)

HEDDLE_HOT void __heddle_place(uint32_t site) { __heddle_free_log->site = site; }

HEDDLE_HOT void __heddle_learns_result() {}
