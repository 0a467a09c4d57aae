// SPDX-License-Identifier: Apache-2.0
//
// Semaphores. Destroying one does nothing in glibc.
#pragma once

#include "semantics/object_operation.h"

namespace heddle::semantics {

struct SemaphoreState {
  uint64_t tokens = 0;
  bool is_destroyed = false;
};

inline constexpr uint64_t kMostTokens = 0x7fffffff;  // SEM_VALUE_MAX

inline Outcome can_happen(const SemaphoreState& state, const ObjectOperation& operation) {
  const Outcome happens = {false, state.is_destroyed ? uint8_t{HEDDLE_FLAG_MISUSE} : uint8_t{0}};
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: return kHappens;
    case HEDDLE_EFFECT_TAKE:
      return state.tokens ? happens : with_misuse(unavailable(operation.form), state.is_destroyed);
    case HEDDLE_EFFECT_POST: return state.tokens == kMostTokens ? with_misuse(kFails, state.is_destroyed) : happens;
    default: return happens;
  }
}

inline void perform(SemaphoreState& state, const ObjectOperation& operation, uint8_t flags) {
  if (flags & HEDDLE_GAVE_UP_FLAGS) return;
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: state = {operation.amount, false}; break;
    case HEDDLE_EFFECT_DESTROY: state.is_destroyed = true; break;
    case HEDDLE_EFFECT_TAKE: --state.tokens; break;
    case HEDDLE_EFFECT_POST: ++state.tokens; break;
    default: break;
  }
}

}  // namespace heddle::semantics
