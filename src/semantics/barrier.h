// SPDX-License-Identifier: Apache-2.0
//
// Barriers. The last thread to arrive opens the round: all who arrived may
// depart, and it is the serial one. Destroying a barrier waits until no thread
// is left that waits for others.
//
// A barrier that is initialised again while threads wait there keeps them until its
// next round opens.
#pragma once

#include "semantics/object_operation.h"

namespace heddle::semantics {

template <typename ThreadSet>
struct BarrierState {
  uint64_t limit = 0;       // how many a round takes
  ThreadSet arrived = {};   // and wait for the others
  ThreadSet stranded = {};  // wait for a round, but do not count
  ThreadSet serial = {};    // opened a round and have not departed
  bool is_destroyed = false;
};

template <typename ThreadSet>
Outcome can_happen(const BarrierState<ThreadSet>& state, const ObjectOperation& operation) {
  const Outcome happens = {false, state.is_destroyed ? uint8_t{HEDDLE_FLAG_MISUSE} : uint8_t{0}};
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT: return state.arrived.empty() ? kHappens : kMisused;
    case HEDDLE_EFFECT_DESTROY: return state.arrived.empty() ? happens : kWaits;
    case HEDDLE_EFFECT_DEPART:
      if (state.arrived.contains(operation.thread) || state.stranded.contains(operation.thread)) return kWaits;
      return {false, state.serial.contains(operation.thread) ? uint8_t{HEDDLE_FLAG_SERIAL} : uint8_t{0}};
    default: return happens;
  }
}

template <typename ThreadSet>
void perform(BarrierState<ThreadSet>& state, const ObjectOperation& operation, uint8_t) {
  switch (operation.effect) {
    case HEDDLE_EFFECT_INIT:
      state.limit = operation.amount;
      state.stranded.insert_all(state.arrived);
      state.arrived.clear();
      state.is_destroyed = false;
      break;
    case HEDDLE_EFFECT_DESTROY: state.is_destroyed = true; break;
    case HEDDLE_EFFECT_ARRIVE:
      state.arrived.insert(operation.thread);
      if (state.arrived.size() != state.limit) break;
      state.arrived.clear();
      state.stranded.clear();
      state.serial.insert(operation.thread);
      break;
    case HEDDLE_EFFECT_DEPART: state.serial.erase(operation.thread); break;
    default: break;
  }
}

}  // namespace heddle::semantics
