// SPDX-License-Identifier: Apache-2.0
//
// Queues of condition variables and futex words. Which waiter a WAKE takes out
// is the caller's choice; this machine knows who is in the queue.
//
// Destroying a condition variable waits until nobody is in its queue.
#pragma once

#include "semantics/object_operation.h"

namespace heddle::semantics {

template <typename ThreadSet>
struct QueueState {
  ThreadSet waiting = {};
  bool is_destroyed = false;
};

template <typename ThreadSet>
Outcome can_happen(const QueueState<ThreadSet>& state, const ObjectOperation& operation) {
  const Outcome happens = {false, state.is_destroyed ? uint8_t{HEDDLE_FLAG_MISUSE} : uint8_t{0}};
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: return state.waiting.empty() ? kHappens : kMisused;
    case HEDDLE_EFFECT_DESTROY: return state.waiting.empty() ? happens : kWaits;
    case HEDDLE_EFFECT_RESUME: return state.waiting.contains(operation.thread) ? kWaits : kHappens;
    case HEDDLE_EFFECT_LEAVE: return kHappens;
    default: return happens;
  }
}

// A WAKE of all; of a single thread: wake().
template <typename ThreadSet>
void perform(QueueState<ThreadSet>& state, const ObjectOperation& operation, uint8_t flags) {
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: state = {}; break;
    case HEDDLE_EFFECT_DESTROY: state.is_destroyed = true; break;
    case HEDDLE_EFFECT_WAIT:
      if (!(flags & HEDDLE_GAVE_UP_FLAGS)) state.waiting.insert(operation.thread);
      break;
    case HEDDLE_EFFECT_RESUME:
    case HEDDLE_EFFECT_LEAVE: state.waiting.erase(operation.thread); break;
    case HEDDLE_EFFECT_WAKE: state.waiting.clear(); break;
    default: break;
  }
}

template <typename ThreadSet>
void wake(QueueState<ThreadSet>& state, uint32_t thread) {
  state.waiting.erase(thread);
}

}  // namespace heddle::semantics
