// SPDX-License-Identifier: Apache-2.0
//
// One access to memory that other threads may see: wait for the turn, check the
// address, do it, record it. Under TSO and PSO a store goes into the thread's
// buffer instead, and a load looks there first (store_buffer.h).
#pragma once

#include <string.h>

#include "abi/hooks.h"
#include "failure.h"
#include "heap.h"
#include "scheduler.h"
#include "spin.h"
#include "state.h"
#include "store_buffer.h"
#include "sync_objects.h"
#include "tracked.h"

namespace heddle::rt {

constexpr uint64_t kFirstPage = 4096;

inline void check_address(uint64_t address, uint32_t size) {
  if (HEDDLE_UNLIKELY(address < kFirstPage)) fail(HEDDLE_FAILURE_NULL, address, 0, "null dereference");
  check_heap_access(address, size);
}

inline void begin_access(Thread& self, uint8_t kind, const void* pointer, uint32_t size, uint32_t order, uint32_t site,
                         uint8_t flags = 0) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  announce(self, kind, address, site, static_cast<uint8_t>(size), static_cast<uint8_t>(order), flags);
  take_turn(self);
  check_address(address, size);
}

// Likewise, for an access that may turn out to change nothing.
inline void begin_look(Thread& self, uint8_t kind, const void* pointer, uint32_t size, uint32_t order, uint32_t site,
                       uint64_t operands = 0) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  announce(self, kind, address, site, static_cast<uint8_t>(size), static_cast<uint8_t>(order));
  take_turn_to_look(self, address, size, operands);
  check_address(address, size);
}

inline uint8_t access_flags(uint32_t order) { return order & HEDDLE_VOLATILE_ACCESS ? HEDDLE_FLAG_VOLATILE : 0; }

template <typename T>
inline T perform_load(Thread& self, const void* pointer, uint32_t order, uint32_t site, uint8_t flags = 0) {
  begin_look(self, HEDDLE_LOAD, pointer, sizeof(T), order, site);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  T value;
  if (HEDDLE_LIKELY(!self.buffered) || !copy_seen(self, address, sizeof value, &value)) {
    memcpy(&value, pointer, sizeof value);
    track_read(self, address, sizeof(T), value);
  }
  record(self, HEDDLE_LOAD, sizeof(T), static_cast<uint8_t>(order), flags | access_flags(order), site, address, value,
         0);
  note_read(self, site, address, value);
  return value;
}

template <typename T>
inline void perform_store(Thread& self, void* pointer, T value, uint32_t order, uint32_t site, uint8_t flags = 0) {
  begin_access(self, HEDDLE_STORE, pointer, sizeof(T), order, site, flags);
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  T old;
  uint64_t replaced = 0;
  const bool buffered =
      HEDDLE_UNLIKELY(g.memory) && heddle_is_buffered(HEDDLE_STORE, static_cast<uint8_t>(order), flags);
  if (buffered) {
    copy_seen(self, address, sizeof old, &old);
    buffer_store(self, address, sizeof(T), value, 0, order, site);
  } else {
    memcpy(&old, pointer, sizeof old);
    memcpy(pointer, &value, sizeof value);
    track_write(address, sizeof(T), value);
    if (HEDDLE_UNLIKELY(g.request->flags & HEDDLE_REQUEST_REPLACED)) {
      replaced = old;
      flags |= HEDDLE_FLAG_REPLACED;
    }
  }
  record(self, HEDDLE_STORE, sizeof(T), static_cast<uint8_t>(order), flags | access_flags(order), site, address, value,
         replaced);
  if (old == value) {
    spin_check(self, site, address, value);
    self.watch.count = 0;
  } else if (buffered) {
    note_progress(self);  // others see it later
  } else {
    note_change(self, address);
  }
  if (HEDDLE_UNLIKELY(may_be_object(address))) note_overwritten(self, address, site);
}

}  // namespace heddle::rt
