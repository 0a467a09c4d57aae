// SPDX-License-Identifier: Apache-2.0
//
// The meaning of operations for the causal model beyond their row in the table of
// semantics/meaning.h: which read and write memory, which wait for the thread's
// store buffer to be empty, which may have to wait for others.
#pragma once

#include "abi/event.h"
#include "abi/store_buffer.h"
#include "schedule/memory_model.h"
#include "semantics/meaning.h"

namespace heddle::causal {

using schedule::MemoryModel;

inline bool failed(const HeddleRecord& operation) { return operation.flags & HEDDLE_FLAG_FAILED; }

// A failure that might not have come, had the thread been earlier.
inline bool fails_because_of_others(const HeddleRecord& operation) {
  return operation.kind == HEDDLE_FAIL &&
         (operation.value == HEDDLE_FAILURE_USE_AFTER_FREE || operation.value == HEDDLE_FAILURE_DOUBLE_FREE);
}

// Says that the operation of its thread before it is a misuse; the thread goes on.
inline bool tells_misuse(const HeddleRecord& operation) {
  return operation.kind == HEDDLE_FAIL && operation.value == HEDDLE_FAILURE_MISUSE;
}

// It takes no turn: it happens together with the operation of its thread before it.
inline bool happens_with_previous(const HeddleRecord& operation) {
  return operation.kind == HEDDLE_EXTERN_WRITE || tells_misuse(operation);
}

// The end of a wait that might have run out as well.
inline bool ends_wait(const HeddleRecord& operation) { return semantics::effect_of(operation) == HEDDLE_EFFECT_RESUME; }

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

// Cannot always happen at once: another thread may have to act first. START
// counts as such, for the operation that created the thread.
inline bool may_block(const HeddleRecord& operation) { return semantics::may_block(operation.kind); }

// The thread is the only one that notices: no other thread's operations, nor
// the store buffers, make any difference to it or it to them.
bool is_local(const HeddleRecord& operation);

}  // namespace heddle::causal
