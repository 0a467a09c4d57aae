// SPDX-License-Identifier: Apache-2.0
//
// Mutexes and spin locks.
//
// glibc does nothing when a spin lock is destroyed.
//
// The mutex of a condition variable gets the effects WAIT (given up once,
// whatever its depth, as glibc does) and RESUME (taken again).
#pragma once

#include "semantics/object_operation.h"

namespace heddle::semantics {

// As in pthread.h; spin locks have a type of their own.
enum class MutexType : uint8_t { kNormal = 0, kRecursive = 1, kErrorCheck = 2, kAdaptive = 3, kSpin = 4 };

struct MutexState {
  uint32_t owner = 0;  // 1 + thread, or 0
  uint32_t depth = 0;
  // Those who use it without being its owner: threads that wait for a condition with it, less unlocks by threads that
  // did not hold it. pthread_mutex_destroy looks at this and at the owner.
  int32_t users = 0;
  bool is_destroyed = false;
  bool operator==(const MutexState&) const = default;
};

inline Outcome can_acquire(const MutexState& state, const ObjectOperation& operation) {
  if (!state.owner) return kHappens;
  if (state.owner != operation.thread + 1) return unavailable(operation.form);
  switch (static_cast<MutexType>(operation.type)) {
    case MutexType::kRecursive: return kHappens;
    case MutexType::kErrorCheck: return kFails;
    default: return unavailable(operation.form);
  }
}

inline Outcome can_release(const MutexState& state, const ObjectOperation& operation) {
  if (state.owner == operation.thread + 1) return kHappens;
  const MutexType type = static_cast<MutexType>(operation.type);
  return type == MutexType::kRecursive || type == MutexType::kErrorCheck ? kFails : kMisused;
}

inline Outcome can_happen_to_spin(const MutexState& state, const ObjectOperation& operation) {
  const uint8_t misuse = state.is_destroyed ? uint8_t{HEDDLE_FLAG_MISUSE} : uint8_t{0};
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: return state.owner ? kMisused : kHappens;
    case HEDDLE_EFFECT_DESTROY: return state.owner ? kMisused : Outcome{false, misuse};
    case HEDDLE_EFFECT_ACQUIRE:
      if (!state.owner) return {false, misuse};
      if (operation.form == HEDDLE_FORM_ATTEMPT) return {false, static_cast<uint8_t>(HEDDLE_FLAG_FAILED | misuse)};
      return kWaits;
    default: return state.owner == operation.thread + 1 ? Outcome{false, misuse} : kMisused;
  }
}

inline Outcome can_happen(const MutexState& state, const ObjectOperation& operation) {
  if (static_cast<MutexType>(operation.type) == MutexType::kSpin) return can_happen_to_spin(state, operation);
  if (state.is_destroyed && operation.effect != HEDDLE_EFFECT_INIT)
    return operation.effect == HEDDLE_EFFECT_DESTROY ? kMisused : kFailsMisused;
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: return state.owner && !state.is_destroyed ? kMisused : kHappens;
    case HEDDLE_EFFECT_DESTROY:
      if (static_cast<int32_t>(state.owner != 0) + state.users != 0) return kFailsMisused;
      return state.owner ? kMisused
                         : kHappens;  // locked, and unlocked once by a stranger before: nobody seems to use it
    case HEDDLE_EFFECT_ACQUIRE:
    case HEDDLE_EFFECT_RESUME: return can_acquire(state, operation);
    case HEDDLE_EFFECT_RELEASE:
    case HEDDLE_EFFECT_WAIT: return can_release(state, operation);
    default: return kHappens;
  }
}

inline void perform(MutexState& state, const ObjectOperation& operation, uint8_t flags) {
  if (flags & HEDDLE_GAVE_UP_FLAGS && operation.effect != HEDDLE_EFFECT_RESUME) return;
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: state = {}; break;
    case HEDDLE_EFFECT_DESTROY:
      if (static_cast<MutexType>(operation.type) != MutexType::kSpin) state = {};
      state.is_destroyed = true;
      break;
    case HEDDLE_EFFECT_RESUME:
      --state.users;
      if (flags & HEDDLE_FLAG_FAILED) break;
      [[fallthrough]];
    case HEDDLE_EFFECT_ACQUIRE:
      state.owner = operation.thread + 1;
      ++state.depth;
      break;
    case HEDDLE_EFFECT_WAIT: ++state.users; [[fallthrough]];
    case HEDDLE_EFFECT_RELEASE:
      if (state.owner != operation.thread + 1) {
        state.users -= state.owner ? 0 : 1;  // of one who never was counted
        state.owner = state.depth = 0;
      } else if (--state.depth == 0) {
        state.owner = 0;
      }
      break;
    default: break;
  }
}

}  // namespace heddle::semantics
