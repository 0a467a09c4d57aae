// SPDX-License-Identifier: Apache-2.0
//
// One-time initialisation: the first to enter runs it, others wait until it has
// finished. Left by an exception (FLAG_FAILED) it is undone; a flag that is
// initialised anew (INIT) is that of another initialisation.
#pragma once

#include "semantics/object_operation.h"

namespace heddle::semantics {

enum class OnceState : uint8_t { kNew = 0, kRunning = 1, kDone = 2 };

inline Outcome can_happen(const OnceState& state, const ObjectOperation& operation) {
  return operation.effect == HEDDLE_EFFECT_ENTER && state == OnceState::kRunning ? kWaits : kHappens;
}

// Whoever enters now has to run it.
inline bool runs_it(const OnceState& state) { return state == OnceState::kNew; }

inline void perform(OnceState& state, const ObjectOperation& operation, uint8_t flags) {
  if (operation.effect == HEDDLE_EFFECT_INIT) state = OnceState::kNew;
  if (operation.effect == HEDDLE_EFFECT_ENTER && state == OnceState::kNew) state = OnceState::kRunning;
  if (operation.effect == HEDDLE_EFFECT_FINISH) state = flags & HEDDLE_FLAG_FAILED ? OnceState::kNew : OnceState::kDone;
}

}  // namespace heddle::semantics
