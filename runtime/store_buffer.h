// SPDX-License-Identifier: Apache-2.0
//
// Store buffers of TSO and PSO (src/abi/store_buffer.h says what they mean).
//
// A buffered store waits in a list of its thread, oldest first. Whoever runs
// lets it go: the scheduler, between two operations, because a step says so, a
// strategy chose it, or the thread's next operation needs it. Memory is written
// then, and only then.
//
// The program's own view of its memory differs from memory as long as stores
// wait: whatever the runtime reads on behalf of a thread without a load event
// goes through `seen`, and code that reads memory itself is preceded by `settle`.
#pragma once

#include <string.h>

#include "abi/store_buffer.h"
#include "state.h"

namespace heddle::rt {

// Empties the buffer of a thread of an earlier run.
void reset_stores(StoreBuffer& buffer);

// The running thread performs a store, which goes into its buffer.
void buffer_store(Thread& self, uint64_t address, uint32_t size, uint64_t value, uint64_t value2, uint32_t order,
                  uint32_t site);
// It performs a fence.
void buffer_fence(Thread& self, uint32_t order);

// Can the announced operation of the thread happen, as far as its buffer goes?
bool buffer_allows(const Thread& thread);
inline bool stores_allow(const Thread& thread) { return HEDDLE_LIKELY(!thread.buffered) || buffer_allows(thread); }

// Which store `index` of the thread waits in its buffer, counted from the oldest; -1: none.
int64_t find_store(const Thread& thread, uint32_t index);
// Why that store may not leave the buffer yet, or null if it may.
const char* why_not_flush(const Thread& thread, uint32_t place);
// One of those that may, at random; the oldest under TSO.
uint32_t random_store(const Thread& thread);

// The store leaves the buffer for memory.
void flush_store(Thread& owner, uint32_t place);

// A local variable has ended its life: stores that wait for it are dropped.
void drop_stores(uint64_t address, uint64_t size);

// Copies what the thread sees at `address`; true if any of it came from its buffer.
bool copy_seen(const Thread& self, uint64_t address, uint32_t size, void* result);

// What the running thread sees at `pointer`.
template <typename T>
inline T seen(const T* pointer) {
  T value;
  if (g.current && HEDDLE_UNLIKELY(g.current->buffered)) {
    copy_seen(*g.current, reinterpret_cast<uint64_t>(pointer), sizeof value, &value);
  } else {
    memcpy(&value, static_cast<const void*>(pointer), sizeof value);
  }
  return value;
}

// Waits until no store of the running thread to these bytes, all by default, is
// in its buffer; no operation.
void settle_slowly(Thread& self, uint64_t address, uint64_t size);
inline void settle(Thread& self, uint64_t address = 0, uint64_t size = UINT64_MAX) {
  if (HEDDLE_UNLIKELY(self.buffered)) settle_slowly(self, address, size);
}
// The same for its stack, of which a part is about to die.
void settle_stack(Thread& self);

}  // namespace heddle::rt
