// SPDX-License-Identifier: Apache-2.0
#include "causal/operation.h"

namespace heddle::causal {

bool changes_life(uint8_t kind) {
  switch (kind) {
    case HEDDLE_MUTEX_INIT:
    case HEDDLE_MUTEX_DESTROY:
    case HEDDLE_RWLOCK_INIT:
    case HEDDLE_RWLOCK_DESTROY:
    case HEDDLE_COND_INIT:
    case HEDDLE_COND_DESTROY:
    case HEDDLE_BARRIER_INIT:
    case HEDDLE_BARRIER_DESTROY:
    case HEDDLE_SEM_INIT:
    case HEDDLE_SEM_DESTROY: return true;
    default: return false;
  }
}

bool may_block(const HeddleRecord& operation) {
  switch (operation.kind) {
    case HEDDLE_THREAD_START:
    case HEDDLE_THREAD_JOIN:
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_COND_RESUME:
    case HEDDLE_BARRIER_LEAVE:
    case HEDDLE_SEM_WAIT:
    case HEDDLE_ONCE_ENTER:
    case HEDDLE_AWAIT_RESUME:
    case HEDDLE_SIGNAL_WAIT:
    case HEDDLE_EXIT: return true;
    default: return false;
  }
}

bool is_local(const HeddleRecord& operation) {
  switch (operation.kind) {
    case HEDDLE_ALLOC:
    case HEDDLE_NONDET:
    case HEDDLE_OBSERVE:
    case HEDDLE_ASSUME:
    case HEDDLE_YIELD:
    case HEDDLE_SLEEP:
    case HEDDLE_CLOCK: return true;
    case HEDDLE_FENCE: return operation.order != HEDDLE_ORDER_SEQ_CST;
    default: return false;
  }
}

}  // namespace heddle::causal
