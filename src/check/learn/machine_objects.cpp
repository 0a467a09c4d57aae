// SPDX-License-Identifier: Apache-2.0
//
// Objects of synchronisation of the machine. What an operation does to its object
// is src/semantics; here are the objects that it works on, the thread it wakes, and
// what its outcome means for the thread.
#include <algorithm>

#include "check/learn/machine.h"
#include "semantics/record_operation.h"

namespace heddle::check::learn {

using semantics::ObjectOperation;
using semantics::Outcome;

namespace {

Prediction done(uint64_t value = 0, uint64_t flags = 0) { return {true, true, {Way::kDone, {value, flags}}}; }

ObjectOperation operation_of(const Point& point) {
  ObjectOperation operation;
  operation.effect = static_cast<HeddleEffect>(point.effect);
  operation.form = static_cast<HeddleForm>(point.form);
  operation.thread = point.thread;
  operation.type = point.value2;
  operation.amount = point.value;
  return operation;
}

// What the outcome means for the step: the time of an operation that waits may run out.
Prediction prediction(const Outcome& outcome, const Step& step) {
  if (step.move == Move::kTimeout) return outcome.waits ? done(0, HEDDLE_FLAG_TIMEOUT) : kBlocked;
  return outcome.waits ? kBlocked : done(0, outcome.flags);
}

}  // namespace

template <typename ObjectState>
ObjectState Machine::object_state(const State& state, uint32_t slot) const {
  return unpack<ObjectState>(object(state, slot));
}

template <typename ObjectState>
void Machine::change(State& state, uint32_t slot, const ObjectOperation& operation, uint8_t flags) const {
  ObjectState now = object_state<ObjectState>(state, slot);
  semantics::perform(now, operation, flags);
  set_object(state, slot, pack(now));
}

BarrierState Machine::barrier(const State& state, const Point& point) const {
  return unpack_barrier(object(state, point.object), point.other_object ? object(state, point.other_object) : 0);
}

Prediction Machine::predict_mutex(const State& state, const Point& point, const Step& step) const {
  return prediction(can_happen(object_state<MutexState>(state, point.object), operation_of(point)), step);
}

// The mutex comes first, and says whether the thread may wait at all.
Prediction Machine::predict_condition(const State& state, const Point& point, const Step& step) const {
  const Outcome queue = can_happen(object_state<QueueState>(state, point.object), operation_of(point));
  if (point.effect != HEDDLE_EFFECT_WAIT && point.effect != HEDDLE_EFFECT_RESUME) return prediction(queue, step);
  if (point.effect == HEDDLE_EFFECT_RESUME && step.move == Move::kTimeout)
    return queue.waits ? Prediction{true, true, {Way::kGaveUp, {0, HEDDLE_FLAG_TIMEOUT}}} : kBlocked;
  if (queue.waits) return kBlocked;
  Outcome mutex = can_happen(object_state<MutexState>(state, point.other_object), operation_of(point));
  if (!semantics::gave_up(mutex.flags)) mutex.flags |= queue.flags;
  return prediction(mutex, step);
}

Prediction Machine::predict_word(const State& state, const Point& point, const Step& step) const {
  const QueueState queue = object_state<QueueState>(state, point.object);
  switch (point.effect) {
    case HEDDLE_EFFECT_WAIT:
      if (is_bad_for_block(state, point)) return kFails;
      if (point.standing != Standing::kPerformed) return {true, false, {}};
      return done(0, read(state, point, 0, point.size) == point.value2 ? 0 : HEDDLE_FLAG_FAILED);
    case HEDDLE_EFFECT_WAKE:
      if (point.standing != Standing::kPerformed) return {true, false, {}};
      return done(point.flags & HEDDLE_FLAG_LEARNED ? std::min(queue.waiting.size(), most_woken(point)) : 0);
    default: return prediction(can_happen(queue, operation_of(point)), step);
  }
}

Prediction Machine::predict_outcome(const State& state, const Point& point, const Step& step) const {
  switch (point.family) {
    case HEDDLE_FAMILY_MUTEX: return predict_mutex(state, point, step);
    case HEDDLE_FAMILY_CONDITION: return predict_condition(state, point, step);
    case HEDDLE_FAMILY_WORD: return predict_word(state, point, step);
    case HEDDLE_FAMILY_RWLOCK:
      return prediction(can_happen(object_state<RwlockState>(state, point.object), operation_of(point)), step);
    case HEDDLE_FAMILY_SEMAPHORE:
      return prediction(can_happen(object_state<SemaphoreState>(state, point.object), operation_of(point)), step);
    case HEDDLE_FAMILY_BARRIER: {
      const BarrierState now = barrier(state, point);
      if (point.effect == HEDDLE_EFFECT_ARRIVE && !now.limit) return kFails;  // glibc divides by it
      return prediction(can_happen(now, operation_of(point)), step);
    }
    case HEDDLE_FAMILY_ONCE: {
      const OnceState once = object_state<OnceState>(state, point.object);
      if (can_happen(once, operation_of(point)).waits) return kBlocked;
      return done(point.effect == HEDDLE_EFFECT_ENTER && runs_it(once));
    }
    default: return done();
  }
}

// The memory of the object is looked at when the operation has its turn.
Prediction Machine::predict_object(const State& state, const Point& point, const Step& step) const {
  const Prediction prediction = predict_outcome(state, point, step);
  const bool looks = point.block && prediction.is_possible && step.move != Move::kTimeout &&
                     semantics::looks_at_memory(point.kind, point.value2);
  return looks && is_bad_for_block(state, point) ? kFails : prediction;
}

// Either all threads of the queue, or the one that the step says.
void Machine::wake(State& state, const Point& point, const Step& step) const {
  QueueState queue = object_state<QueueState>(state, point.object);
  if (!wakes_one(point)) {
    queue.waiting.clear();
  } else if (step.choice) {
    semantics::wake(queue, step.choice - 1);
  }
  set_object(state, point.object, pack(queue));
}

void Machine::perform_object(State& state, const Point& point, const Step& step, const Edge& edge) const {
  if (point.effect == HEDDLE_EFFECT_WAKE) return wake(state, point, step);
  ObjectOperation operation = operation_of(point);
  const uint32_t slot = point.object;
  switch (point.family) {
    case HEDDLE_FAMILY_MUTEX: return change<MutexState>(state, slot, operation, edge.flags);
    case HEDDLE_FAMILY_RWLOCK: return change<RwlockState>(state, slot, operation, edge.flags);
    case HEDDLE_FAMILY_SEMAPHORE: return change<SemaphoreState>(state, slot, operation, edge.flags);
    case HEDDLE_FAMILY_ONCE: return change<OnceState>(state, slot, operation, edge.flags);
    case HEDDLE_FAMILY_WORD: return change<QueueState>(state, slot, operation, edge.flags);
    case HEDDLE_FAMILY_CONDITION: {
      if (edge.result.way == Way::kGaveUp) operation.effect = HEDDLE_EFFECT_LEAVE;
      change<QueueState>(state, slot, operation, edge.flags);
      const bool has_mutex = operation.effect == HEDDLE_EFFECT_WAIT || operation.effect == HEDDLE_EFFECT_RESUME;
      if (has_mutex) change<MutexState>(state, point.other_object, operation, edge.flags);
      return;
    }
    case HEDDLE_FAMILY_BARRIER: {
      BarrierState now = barrier(state, point);
      semantics::perform(now, operation, edge.flags);
      set_object(state, slot, pack(now));
      if (point.other_object) set_object(state, point.other_object, pack_others(now));
      return;
    }
    default: return;
  }
}

}  // namespace heddle::check::learn
