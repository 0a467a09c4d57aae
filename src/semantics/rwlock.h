// SPDX-License-Identifier: Apache-2.0
//
// Reader-writer locks: any number of readers or one writer.
//
// Of a lock that prefers writers (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
// a writer lines up before it waits; readers then wait behind it as long as
// there are readers inside. The other types prefer readers.
//
// Unlocking a lock that is not held, or that another thread writes under, takes one
// off the number of readers, as in glibc: writers wait for ever then.
//
// Destroying such a lock does nothing in glibc.
#pragma once

#include "semantics/object_operation.h"

namespace heddle::semantics {

enum class RwlockType : uint8_t {
  kPreferReader = 0,
  kPreferWriter = 1,
  kPreferWriterNonrecursive = 2
};  // as pthread.h

template <typename ThreadSet>
struct RwlockState {
  uint32_t owner = 0;       // 1 + the writer, or 0
  uint32_t readers = 0;     // modulo its size
  ThreadSet lined_up = {};  // writers
  bool is_destroyed = false;
};

template <typename ThreadSet>
Outcome can_happen(const RwlockState<ThreadSet>& state, const ObjectOperation& operation) {
  const Outcome misused = {false, state.is_destroyed ? uint8_t{HEDDLE_FLAG_MISUSE} : uint8_t{0}};
  const bool is_mine = state.owner == operation.thread + 1;
  const bool is_attempt = operation.form == HEDDLE_FORM_ATTEMPT;
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: return state.owner || state.readers ? kMisused : kHappens;
    case HEDDLE_EFFECT_DESTROY: return state.owner || state.readers || state.is_destroyed ? kMisused : kHappens;
    case HEDDLE_EFFECT_SHARE: {
      if (is_mine && !is_attempt) return with_misuse(kFails, state.is_destroyed);         // EDEADLK
      if (state.readers + 1 > INT32_MAX) return with_misuse(kFails, state.is_destroyed);  // EAGAIN
      const bool prefers_writer = static_cast<RwlockType>(operation.type) == RwlockType::kPreferWriterNonrecursive;
      const bool is_behind_writer = prefers_writer && !state.lined_up.empty() && (state.readers > 0 || is_attempt);
      return state.owner || is_behind_writer ? with_misuse(unavailable(operation.form), state.is_destroyed) : misused;
    }
    case HEDDLE_EFFECT_ACQUIRE:
      if (is_mine && !is_attempt) return with_misuse(kFails, state.is_destroyed);
      return state.owner || state.readers ? with_misuse(unavailable(operation.form), state.is_destroyed) : misused;
    case HEDDLE_EFFECT_RELEASE: return is_mine || (!state.owner && state.readers) ? misused : kMisused;
    default: return kHappens;
  }
}

template <typename ThreadSet>
void perform(RwlockState<ThreadSet>& state, const ObjectOperation& operation, uint8_t flags) {
  if (operation.effect == HEDDLE_EFFECT_ACQUIRE) state.lined_up.erase(operation.thread);  // also if time is up
  if (flags & HEDDLE_GAVE_UP_FLAGS) return;
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: state = {}; break;
    case HEDDLE_EFFECT_DESTROY: state.is_destroyed = true; break;
    case HEDDLE_EFFECT_SHARE: ++state.readers; break;
    case HEDDLE_EFFECT_LINE_UP: state.lined_up.insert(operation.thread); break;
    case HEDDLE_EFFECT_ACQUIRE: state.owner = operation.thread + 1; break;
    case HEDDLE_EFFECT_RELEASE:
      if (state.owner == operation.thread + 1) {
        state.owner = 0;
      } else {
        --state.readers;
      }
      break;
    default: break;
  }
}

}  // namespace heddle::semantics
