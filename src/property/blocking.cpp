// SPDX-License-Identifier: Apache-2.0
#include "property/blocking.h"

#include <algorithm>

#include "causal/operation.h"

namespace heddle::property {

bool blocks_for_ever(const HeddleRecord& operation) {
  switch (operation.kind) {
    // Not again by the thread that holds it: it goes deeper, or is refused.
    case HEDDLE_MUTEX_LOCK: return operation.value <= 1 && !causal::failed(operation);
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_SEM_WAIT:
    case HEDDLE_ONCE_ENTER:
    case HEDDLE_BARRIER_LEAVE: return true;
    case HEDDLE_THREAD_JOIN: return !causal::failed(operation) && !causal::timed_out(operation);
    case HEDDLE_COND_RESUME:
    case HEDDLE_AWAIT_RESUME:
      return !(operation.flags & (HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_SPURIOUS | HEDDLE_FLAG_CANCELLED));
    default: return false;
  }
}

bool is_timed_wait(const HeddleRecord& operation) {
  return (operation.kind == HEDDLE_COND_WAIT || operation.kind == HEDDLE_AWAIT) &&
         (operation.flags & HEDDLE_FLAG_TIMED);
}

std::optional<Wanted> wanted_lock(const HeddleRecord& operation) {
  switch (operation.kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_ONCE_ENTER: return Wanted{operation.address, false};
    case HEDDLE_RWLOCK_READ: return Wanted{operation.address, true};
    case HEDDLE_COND_RESUME: return Wanted{operation.value, false};
    default: return std::nullopt;
  }
}

bool holds(std::span<const causal::HeldSection> held, const Wanted& wanted) {
  return std::any_of(held.begin(), held.end(), [&](const causal::HeldSection& section) {
    return section.lock == wanted.lock && !(section.is_shared && wanted.is_shared);
  });
}

HeddleRecord waited_for(const HeddleRecord& waiting, std::span<const HeddleRecord> before) {
  HeddleRecord next = waiting;
  next.kind = static_cast<uint8_t>(waiting.value2);
  next.value = next.value2 = 0;
  next.index = static_cast<uint32_t>(before.size());
  if (next.kind == HEDDLE_THREAD_JOIN) next.value = waiting.value ? waiting.value - 1 : ~0u;
  if (next.kind == HEDDLE_COND_RESUME && !before.empty()) next.value = before.back().value;
  return next;
}

}  // namespace heddle::property
