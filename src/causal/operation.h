// SPDX-License-Identifier: Apache-2.0
//
// What kinds of operations mean to the causal model, in one place: which read
// and write memory, which wait for the thread's store buffer to be empty, which
// may have to wait for others.
#pragma once

#include "abi/event.h"
#include "abi/store_buffer.h"
#include "schedule/memory_model.h"

namespace heddle::causal {

using schedule::MemoryModel;

inline bool failed(const HeddleRecord& operation) { return operation.flags & HEDDLE_FLAG_FAILED; }
inline bool timed_out(const HeddleRecord& operation) { return operation.flags & HEDDLE_FLAG_TIMEOUT; }

// A failure that might not have come, had the thread been earlier.
inline bool fails_because_of_others(const HeddleRecord& operation) {
  return operation.kind == HEDDLE_FAIL &&
         (operation.value == HEDDLE_FAILURE_USE_AFTER_FREE || operation.value == HEDDLE_FAILURE_DOUBLE_FREE ||
          operation.value == HEDDLE_FAILURE_MISUSE);
}

// The end of a wait that might have run out as well.
inline bool ends_wait(const HeddleRecord& operation) {
  return operation.kind == HEDDLE_COND_RESUME || operation.kind == HEDDLE_AWAIT_RESUME;
}

inline bool reads_memory(const HeddleRecord& operation) {
  return operation.kind == HEDDLE_LOAD || operation.kind == HEDDLE_RMW || operation.kind == HEDDLE_CAS ||
         operation.kind == HEDDLE_AWAIT;
}

inline bool writes_memory(const HeddleRecord& operation) {
  return operation.kind == HEDDLE_STORE || operation.kind == HEDDLE_RMW || operation.kind == HEDDLE_EXTERN_WRITE ||
         (operation.kind == HEDDLE_CAS && !failed(operation));
}

inline bool accesses_memory(const HeddleRecord& operation) {
  return reads_memory(operation) || writes_memory(operation);
}

// A store that goes into the buffer first.
inline bool is_buffered(const HeddleRecord& operation, MemoryModel model) {
  return model != MemoryModel::kSc && heddle_is_buffered(operation.kind, operation.order, operation.flags);
}

// Waits for an empty buffer of its own thread.
inline bool drains_buffer(const HeddleRecord& operation) {
  return heddle_waits_for_stores(operation.kind, operation.order, operation.flags);
}

// Stores after it, and it itself, reach memory after those before it (PSO).
inline bool orders_stores(const HeddleRecord& operation) { return heddle_puts_marker(operation.kind, operation.order); }

// Of a mutex, a condition variable, a futex word and so on.
inline bool uses_object(uint8_t kind) { return kind >= HEDDLE_MUTEX_INIT && kind <= HEDDLE_NOTIFY; }
// Of these, it ends what its thread began before, without touching the object again.
inline bool only_resumes(uint8_t kind) {
  return kind == HEDDLE_COND_RESUME || kind == HEDDLE_COND_LEAVE || kind == HEDDLE_BARRIER_LEAVE ||
         kind == HEDDLE_AWAIT_RESUME;
}
// It initialises or destroys the object.
bool changes_life(uint8_t kind);

// Cannot always happen at once: another thread may have to act first. START
// counts as such, for the operation that created the thread.
bool may_block(const HeddleRecord& operation);

// The thread is the only one that notices: no other thread's operations, nor
// the store buffers, make any difference to it or it to them.
bool is_local(const HeddleRecord& operation);

}  // namespace heddle::causal
