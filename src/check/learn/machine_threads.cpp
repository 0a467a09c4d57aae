// SPDX-License-Identifier: Apache-2.0
//
// Threads that begin, end and wait for each other; choices, observations, ends
// of the program, and failures.
#include "check/learn/machine.h"

namespace heddle::check::learn {

Prediction Machine::predict_thread(const State& state, const Point& point, const Step& step) const {
  switch (point.kind) {
    case HEDDLE_THREAD_JOIN: {
      const Point& joined = at(state, static_cast<ThreadId>(point.value));
      if (joined.standing != Standing::kEnded) return {false, true, {}};
      return {true, true, {Way::kDone, {joined.value, 0}}};
    }
    case HEDDLE_NONDET:
      if (point.standing != Standing::kPerformed) return {true, false, {}};
      return {true, true, {Way::kDone, {point.address + step.choice, 0}}};
    case HEDDLE_ASSUME: return {false, true, {}};  // only assumptions that fail are operations
    case HEDDLE_FAIL: {
      const bool by_release = point.value == HEDDLE_FAILURE_USE_AFTER_FREE || point.value == HEDDLE_FAILURE_DOUBLE_FREE;
      const bool releases = point.value == HEDDLE_FAILURE_DOUBLE_FREE || point.value == HEDDLE_FAILURE_BAD_FREE;
      if (releases && !point.is_glued && buffer_of(state, point.thread)) return {false, true, {}};
      if (model_.heap.is_tracked(point.block)) return predict_failure_by_block(state, point);
      if (by_release && !(point.block && state[point.block])) return {true, false, {}};
      return {true, true, {Way::kFailed, {}}};
    }
    default: return {};
  }
}

void Machine::perform_thread(State& state, const Point& point, const Edge& edge) const {
  switch (point.kind) {
    case HEDDLE_THREAD_CREATE:
      if (edge.flags & HEDDLE_FLAG_FAILED) break;
      state.set(model_.thread_slots[point.value],
                model_.automata.root(static_cast<ThreadId>(point.value), point.value2));
      break;
    case HEDDLE_OBSERVE: {
      const uint32_t slot = *model_.layout.find(Space::kObservation, point.text);
      state.set(slot, static_cast<uint32_t>(point.value2));
      break;
    }
    case HEDDLE_ATOMIC_BEGIN: state.set(Layout::kAtomic, point.thread + 1); break;
    case HEDDLE_ATOMIC_END: state.set(Layout::kAtomic, 0); break;
    case HEDDLE_EXIT: state.set(Layout::kEnded, 1); break;
    default: break;
  }
}

}  // namespace heddle::check::learn
