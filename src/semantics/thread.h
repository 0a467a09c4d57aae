// SPDX-License-Identifier: Apache-2.0
//
// Threads as objects that are joined or detached once.
#pragma once

#include "semantics/object_operation.h"

namespace heddle::semantics {

struct ThreadState {
  bool has_ended = false;
  bool is_joined = false;
  bool is_detached = false;
};

inline Outcome can_happen(const ThreadState& state, const ObjectOperation& operation) {
  switch (operation.effect) {
    case HEDDLE_EFFECT_JOIN:
      if (state.is_detached || state.is_joined) return kFailsMisused;
      return state.has_ended ? kHappens : unavailable(operation.form);
    case HEDDLE_EFFECT_DETACH: return state.is_detached || state.is_joined ? kFailsMisused : kHappens;
    default: return kHappens;
  }
}

inline void perform(ThreadState& state, const ObjectOperation& operation, uint8_t flags) {
  if (flags & HEDDLE_GAVE_UP_FLAGS) return;
  switch (operation.effect) {
    case HEDDLE_EFFECT_END: state.has_ended = true; break;
    case HEDDLE_EFFECT_JOIN: state.is_joined = true; break;
    case HEDDLE_EFFECT_DETACH: state.is_detached = true; break;
    default: break;
  }
}

}  // namespace heddle::semantics
