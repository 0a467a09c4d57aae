// SPDX-License-Identifier: Apache-2.0
//
// Threads that begin, end and wait for each other; choices, observations, ends
// of the program, and failures.
#include "check/learn/machine.h"

namespace heddle::check::learn {

namespace {

constexpr uint64_t kJoined = 1, kDetached = 2;

}  // namespace

semantics::ThreadState Machine::thread_state(const State& state, const Point& point) const {
  const uint64_t fate = point.object ? object(state, point.object) : 0;
  return {has_ended(state, static_cast<ThreadId>(point.value)), (fate & kJoined) != 0, (fate & kDetached) != 0};
}

Prediction Machine::predict_thread(const State& state, const Point& point, const Step& step) const {
  switch (point.kind) {
    case HEDDLE_THREAD_JOIN:
    case HEDDLE_THREAD_DETACH: {
      semantics::ObjectOperation operation;
      operation.effect = static_cast<HeddleEffect>(point.effect);
      operation.form = static_cast<HeddleForm>(point.form);
      const semantics::Outcome outcome = can_happen(thread_state(state, point), operation);
      if (outcome.waits) return kBlocked;
      const bool returns = point.kind == HEDDLE_THREAD_JOIN && !semantics::gave_up(outcome.flags);
      const uint64_t returned = returns ? at(state, static_cast<ThreadId>(point.value)).value : 0;
      return {true, true, {Way::kDone, {returned, outcome.flags}}};
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
    case HEDDLE_THREAD_JOIN:
    case HEDDLE_THREAD_DETACH:
      if (!point.object || semantics::gave_up(edge.flags)) break;
      set_object(state, point.object,
                 object(state, point.object) | (point.kind == HEDDLE_THREAD_JOIN ? kJoined : kDetached));
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
