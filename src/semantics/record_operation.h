// SPDX-License-Identifier: Apache-2.0
//
// Records of traces as operations of the state machines.
#pragma once

#include <algorithm>

#include "semantics/meaning.h"
#include "semantics/mutex.h"
#include "semantics/object_operation.h"

namespace heddle::semantics {

// The type of the lock, or of the mutex of a condition wait. A depth above 1 says that a mutex is recursive, also where
// a record has no type.
inline uint64_t type_of(const HeddleRecord& record) {
  const HeddleFamily family = family_of(record);
  const HeddleEffect effect = effect_of(record);
  const bool is_wait =
      family == HEDDLE_FAMILY_CONDITION && (effect == HEDDLE_EFFECT_WAIT || effect == HEDDLE_EFFECT_RESUME);
  const bool is_nested = family == HEDDLE_FAMILY_MUTEX && effect == HEDDLE_EFFECT_ACQUIRE && record.value > 1;
  if (is_nested) return std::max<uint64_t>(record.value2, static_cast<uint64_t>(MutexType::kRecursive));
  return family == HEDDLE_FAMILY_MUTEX || family == HEDDLE_FAMILY_RWLOCK || is_wait ? record.value2 : 0;
}

// INIT: tokens, or threads of a barrier; WAKE: how many threads at most.
inline uint64_t amount_of(const HeddleRecord& record) {
  switch (effect_of(record)) {
    case HEDDLE_EFFECT_INIT: return record.value;
    case HEDDLE_EFFECT_WAKE: return most_woken(record);
    default: return 0;
  }
}

// It looks at the memory of its object when it happens, which must still be there then. Operations that only resume
// do not, nor do those that do nothing in glibc.
inline bool looks_at_memory(uint8_t kind, uint64_t type) {
  if (!uses_object(kind) || only_resumes(kind)) return false;
  switch (effect_of(kind)) {
    case HEDDLE_EFFECT_FINISH: return false;
    case HEDDLE_EFFECT_WAKE: return family_of(kind) != HEDDLE_FAMILY_WORD;  // the system looks for those who wait
    case HEDDLE_EFFECT_DESTROY:
      switch (family_of(kind)) {
        case HEDDLE_FAMILY_MUTEX: return static_cast<MutexType>(type) != MutexType::kSpin;
        case HEDDLE_FAMILY_RWLOCK:
        case HEDDLE_FAMILY_SEMAPHORE: return false;
        default: return true;
      }
    default: return true;
  }
}

inline ObjectOperation object_operation(const HeddleRecord& record) {
  return {effect_of(record), form_of(record), record.thread, type_of(record), amount_of(record)};
}

}  // namespace heddle::semantics
