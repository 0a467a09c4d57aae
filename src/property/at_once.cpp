// SPDX-License-Identifier: Apache-2.0
#include "property/at_once.h"

#include <algorithm>

namespace heddle::property {

namespace {

constexpr uint8_t kOtherEnds = HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_CANCELLED | HEDDLE_FLAG_SPURIOUS;

bool needs_only_what_is_before(const HeddleRecord& operation) {
  switch (operation.kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE: return operation.order == HEDDLE_ORDER_NOT_ATOMIC;
    case HEDDLE_ALLOC:
    case HEDDLE_FREE:
    case HEDDLE_THREAD_CREATE:
    case HEDDLE_THREAD_START:
    case HEDDLE_THREAD_END:
    case HEDDLE_THREAD_JOIN:
    case HEDDLE_MUTEX_INIT:
    case HEDDLE_MUTEX_DESTROY:
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_RWLOCK_INIT:
    case HEDDLE_RWLOCK_DESTROY:
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_RWLOCK_UNLOCK:
    case HEDDLE_BARRIER_INIT:
    case HEDDLE_BARRIER_ARRIVE:
    case HEDDLE_BARRIER_LEAVE:
    case HEDDLE_SEM_INIT:
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_POST:
    case HEDDLE_YIELD:
    case HEDDLE_SLEEP:
    case HEDDLE_CLOCK:
    case HEDDLE_NONDET:
    case HEDDLE_OBSERVE:
    case HEDDLE_ASSUME:
    case HEDDLE_EXTERN_CALL:  // what it writes is another operation
    case HEDDLE_EXIT: return true;
    default: return false;
  }
}

}  // namespace

bool races_are_at_once(const causal::Execution& execution) {
  return std::all_of(execution.threads.begin(), execution.threads.end(), [](const causal::ThreadPart& part) {
    return std::all_of(part.operations.begin(), part.operations.end(), [](const HeddleRecord& operation) {
      // A plain store has another flag in the place of some.
      const bool ends_otherwise = operation.kind != HEDDLE_STORE && (operation.flags & kOtherEnds);
      return !ends_otherwise && needs_only_what_is_before(operation);
    });
  });
}

}  // namespace heddle::property
