// SPDX-License-Identifier: Apache-2.0
//
// Mutexes and reader-writer locks of the machine.
#include "check/learn/machine.h"

namespace heddle::check::learn {

namespace {

Prediction done(uint8_t flags = 0) { return {true, true, {Way::kDone, {0, flags}}}; }

// Free, or not: what that means for an operation of this kind.
Prediction acquire(const Point& point, const Step& step, bool is_free) {
  switch (point.kind) {
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_TRYWRITE: return done(is_free ? 0 : HEDDLE_FLAG_FAILED);
    default:
      if (step.move == Move::kTimeout) return is_free ? kBlocked : done(HEDDLE_FLAG_TIMEOUT);
      return is_free ? done() : kBlocked;
  }
}

}  // namespace

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

Prediction Machine::predict_lock(const State& state, const Point& point, const Step& step) const {
  const uint64_t lock = object(state, point.object);
  const bool is_mine = (lock & kOwner) == point.thread + 1;
  switch (point.kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK: return is_mine ? as_before(point, step) : acquire(point, step, !(lock & kOwner));
    case HEDDLE_MUTEX_UNLOCK: return is_mine ? done() : as_before(point, step);
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TIMEDREAD:
    case HEDDLE_RWLOCK_TRYREAD:
      if (is_mine && point.kind != HEDDLE_RWLOCK_TRYREAD) return as_before(point, step);
      return acquire(point, step, !(lock & kOwner));
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TIMEDWRITE:
    case HEDDLE_RWLOCK_TRYWRITE:
      if (is_mine && point.kind != HEDDLE_RWLOCK_TRYWRITE) return as_before(point, step);
      return acquire(point, step, !lock);
    case HEDDLE_RWLOCK_UNLOCK: return is_mine || (lock && !(lock & kOwner)) ? done() : kMisuse;
    case HEDDLE_MUTEX_INIT: return lock & kOwner ? kMisuse : done();
    case HEDDLE_MUTEX_DESTROY:
    case HEDDLE_RWLOCK_DESTROY: return lock ? kMisuse : done();
    default: return done();
  }
}

void Machine::perform_lock(State& state, const Point& point, const Edge& edge) const {
  if (edge.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT)) return;
  uint64_t lock = object(state, point.object);
  const uint64_t mine = point.thread + 1;
  switch (point.kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK: lock = (lock & ~kOwner) + kDepthOne + mine; break;
    case HEDDLE_MUTEX_UNLOCK: lock = lock < 2 * kDepthOne ? 0 : lock - kDepthOne; break;
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TIMEDREAD:
    case HEDDLE_RWLOCK_TRYREAD: lock += kDepthOne; break;
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TIMEDWRITE:
    case HEDDLE_RWLOCK_TRYWRITE: lock = mine; break;
    case HEDDLE_RWLOCK_UNLOCK: lock = lock & kOwner ? 0 : lock - kDepthOne; break;
    case HEDDLE_MUTEX_DESTROY:
    case HEDDLE_RWLOCK_DESTROY: lock = kDestroyed; break;
    default: lock = 0; break;
  }
  set_object(state, point.object, lock);
}

}  // namespace heddle::check::learn
