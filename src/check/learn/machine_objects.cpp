// SPDX-License-Identifier: Apache-2.0
//
// Objects of synchronisation of the machine. What an operation does to its object
// is src/semantics; here are the objects that it works on, the thread it wakes, and
// what its outcome means for the thread.
#include "check/learn/machine.h"

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
  operation.amount = point.value;
  return operation;
}

// What the outcome means for an operation whose time may run out.
Prediction prediction(const Outcome& outcome, const Step& step) {
  if (step.move == Move::kTimeout) return outcome.waits ? done(0, HEDDLE_FLAG_TIMEOUT) : kBlocked;
  if (outcome.waits) return kBlocked;
  return outcome.flags & HEDDLE_FLAG_MISUSE ? kMisuse : done(0, outcome.flags);
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
  BarrierState barrier = object_state<BarrierState>(state, point.object);
  if (point.other_object) barrier.serial.bits = object(state, point.other_object);
  return barrier;
}

// Whether a thread itself holds a lock follows from its own past; so what came
// of it once comes of it always.
Prediction Machine::as_before(const Point& point, const Step& step) const {
  if (point.blocks_itself) return kBlocked;
  for (const Edge& edge : point.edges) {
    if (edge.result.way != Way::kDone) continue;
    const bool ran_out = edge.flags & HEDDLE_FLAG_TIMEOUT;
    return ran_out == (step.move == Move::kTimeout) ? Prediction{true, true, edge.result} : kBlocked;
  }
  return {true, false, {}};
}

Prediction Machine::predict_mutex(const State& state, const Point& point, const Step& step) const {
  const MutexState mutex = object_state<MutexState>(state, point.object);
  const bool is_mine = mutex.owner == point.thread + 1;
  if (point.effect == HEDDLE_EFFECT_ACQUIRE && is_mine) return as_before(point, step);
  if (point.effect == HEDDLE_EFFECT_RELEASE && !is_mine) return as_before(point, step);
  return prediction(can_happen(mutex, operation_of(point)), step);
}

Prediction Machine::predict_rwlock(const State& state, const Point& point, const Step& step) const {
  const RwlockState lock = object_state<RwlockState>(state, point.object);
  const bool takes = point.effect == HEDDLE_EFFECT_ACQUIRE || point.effect == HEDDLE_EFFECT_SHARE;
  if (takes && lock.owner == point.thread + 1 && point.form != HEDDLE_FORM_ATTEMPT) return as_before(point, step);
  return prediction(can_happen(lock, operation_of(point)), step);
}

Prediction Machine::predict_condition(const State& state, const Point& point, const Step& step) const {
  const QueueState queue = object_state<QueueState>(state, point.object);
  const ObjectOperation operation = operation_of(point);
  switch (point.effect) {
    case HEDDLE_EFFECT_WAIT:
      return prediction(can_happen(object_state<MutexState>(state, point.other_object), operation), step);
    case HEDDLE_EFFECT_RESUME: {
      const Outcome woken = can_happen(queue, operation);
      if (step.move == Move::kTimeout)
        return woken.waits ? Prediction{true, true, {Way::kGaveUp, {0, HEDDLE_FLAG_TIMEOUT}}} : kBlocked;
      if (woken.waits) return kBlocked;
      return can_happen(object_state<MutexState>(state, point.other_object), operation).waits ? kBlocked : done();
    }
    case HEDDLE_EFFECT_DESTROY: return can_happen(queue, operation).waits ? kMisuse : done();
    default: return done();
  }
}

Prediction Machine::predict_word(const State& state, const Point& point, const Step& step) const {
  switch (point.effect) {
    case HEDDLE_EFFECT_WAIT:
      if (is_bad_for_block(state, point)) return kMisuse;
      if (point.standing != Standing::kPerformed) return {true, false, {}};
      return done(0, read(state, point, 0, point.size) == point.value2 ? 0 : HEDDLE_FLAG_FAILED);
    case HEDDLE_EFFECT_RESUME:
      return prediction(can_happen(object_state<QueueState>(state, point.object), operation_of(point)), step);
    default: return done();
  }
}

Prediction Machine::predict_object(const State& state, const Point& point, const Step& step) const {
  switch (point.family) {
    case HEDDLE_FAMILY_MUTEX: return predict_mutex(state, point, step);
    case HEDDLE_FAMILY_RWLOCK: return predict_rwlock(state, point, step);
    case HEDDLE_FAMILY_CONDITION: return predict_condition(state, point, step);
    case HEDDLE_FAMILY_WORD: return predict_word(state, point, step);
    case HEDDLE_FAMILY_SEMAPHORE:
      return prediction(can_happen(object_state<SemaphoreState>(state, point.object), operation_of(point)), step);
    case HEDDLE_FAMILY_BARRIER: {
      const Outcome outcome = can_happen(barrier(state, point), operation_of(point));
      return point.effect == HEDDLE_EFFECT_DESTROY && outcome.waits ? kMisuse : prediction(outcome, step);
    }
    case HEDDLE_FAMILY_ONCE: {
      const OnceState once = object_state<OnceState>(state, point.object);
      if (can_happen(once, operation_of(point)).waits) return kBlocked;
      return done(point.effect == HEDDLE_EFFECT_ENTER && runs_it(once));
    }
    default: return done();
  }
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
      if (point.other_object) set_object(state, point.other_object, now.serial.bits);
      return;
    }
    default: return;
  }
}

}  // namespace heddle::check::learn
