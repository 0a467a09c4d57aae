// SPDX-License-Identifier: Apache-2.0
//
// One access to memory that other threads may see: wait for the turn, check the
// address, do it, record it.
#pragma once

#include <string.h>

#include "abi/hooks.h"
#include "failure.h"
#include "heap.h"
#include "scheduler.h"
#include "spin.h"
#include "state.h"
#include "tracked.h"

namespace heddle::rt {

constexpr uint64_t kFirstPage = 4096;

inline void begin_access(Thread& self, uint8_t kind, const void* pointer, uint32_t size, uint32_t order, uint32_t site) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  announce(self, kind, address, site, static_cast<uint8_t>(size), static_cast<uint8_t>(order));
  take_turn(self);
  if (HEDDLE_UNLIKELY(address < kFirstPage)) fail(HEDDLE_FAILURE_NULL, address, 0, "null dereference");
  check_heap_access(address, size);
}

inline uint8_t access_flags(uint32_t order) { return order & HEDDLE_VOLATILE_ACCESS ? HEDDLE_FLAG_VOLATILE : 0; }

template <typename T>
inline T perform_load(Thread& self, const void* pointer, uint32_t order, uint32_t site, uint8_t flags = 0) {
  begin_access(self, HEDDLE_LOAD, pointer, sizeof(T), order, site);
  T value;
  memcpy(&value, pointer, sizeof value);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  track_read(self, address, sizeof(T), value);
  record(self, HEDDLE_LOAD, sizeof(T), static_cast<uint8_t>(order), flags | access_flags(order), site, address, value, 0);
  note_read(self, site, address, value);
  return value;
}

template <typename T>
inline void perform_store(Thread& self, void* pointer, T value, uint32_t order, uint32_t site, uint8_t flags = 0) {
  begin_access(self, HEDDLE_STORE, pointer, sizeof(T), order, site);
  T old;
  memcpy(&old, pointer, sizeof old);
  memcpy(pointer, &value, sizeof value);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  track_write(address, sizeof(T), value);
  record(self, HEDDLE_STORE, sizeof(T), static_cast<uint8_t>(order), flags | access_flags(order), site, address, value, 0);
  if (old != value) {
    note_change(self, address);
  } else {
    note_read(self, site, address, value);
  }
}

}  // namespace heddle::rt
