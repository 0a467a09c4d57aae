// SPDX-License-Identifier: Apache-2.0
//
// Conditions, barriers, semaphores, one-time initialisation and futex words.
#include "check/learn/machine.h"

namespace heddle::check::learn {

namespace {

constexpr uint64_t kArrived = 0xffffffff;
constexpr uint32_t kLimitShift = 32;

Prediction done(uint64_t value = 0, uint64_t flags = 0) { return {true, true, {Way::kDone, {value, flags}}}; }

}  // namespace

Prediction Machine::predict_wait(const State& state, const Point& point, const Step& step) const {
  const uint64_t now = object(state, point.object);
  const bool is_queued = now >> point.thread & 1;
  const bool times_out = step.move == Move::kTimeout;
  switch (point.kind) {
    case HEDDLE_COND_WAIT: return (object(state, point.other_object) & kOwner) == point.thread + 1 ? done() : kMisuse;
    case HEDDLE_COND_RESUME:
      if (times_out) return is_queued ? Prediction{true, true, {Way::kGaveUp, {0, HEDDLE_FLAG_TIMEOUT}}} : kBlocked;
      return is_queued || object(state, point.other_object) ? kBlocked : done();
    case HEDDLE_COND_DESTROY: return now ? kMisuse : done();
    case HEDDLE_BARRIER_DESTROY: return now & kArrived ? kMisuse : done();
    case HEDDLE_BARRIER_LEAVE:
      if (is_queued) return kBlocked;
      return done(0, object(state, point.other_object) >> point.thread & 1 ? HEDDLE_FLAG_SERIAL : 0);
    case HEDDLE_SEM_WAIT: return now ? done() : kBlocked;
    case HEDDLE_SEM_TRYWAIT: return done(0, now ? 0 : HEDDLE_FLAG_FAILED);
    case HEDDLE_SEM_TIMEDWAIT:
      if (times_out) return now ? kBlocked : done(0, HEDDLE_FLAG_TIMEOUT);
      return now ? done() : kBlocked;
    case HEDDLE_ONCE_ENTER: return now == 1 ? kBlocked : done(now == 0);
    case HEDDLE_AWAIT: {
      if (is_bad_for_block(state, point)) return kMisuse;
      if (point.standing != Standing::kPerformed) return {true, false, {}};
      return done(0, read(state, point, 0, point.size) == point.value2 ? 0 : 1);
    }
    case HEDDLE_AWAIT_RESUME:
      if (times_out) return is_queued ? done(0, HEDDLE_FLAG_TIMEOUT) : kBlocked;
      return is_queued ? kBlocked : done();
    default: return done();
  }
}

void Machine::perform_wait(State& state, const Point& point, const Step& step, const Edge& edge) const {
  uint64_t now = object(state, point.object);
  const uint64_t mine = uint64_t{1} << point.thread;
  const bool gives_up = edge.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT);
  switch (point.kind) {
    case HEDDLE_COND_WAIT:
      now |= mine;
      set_object(state, point.other_object, 0);
      break;
    case HEDDLE_COND_RESUME:
      if (edge.result.way == Way::kGaveUp) {
        now &= ~mine;
      } else {
        set_object(state, point.other_object, kDepthOne + point.thread + 1);
      }
      break;
    case HEDDLE_COND_SIGNAL:
      if (step.choice) now &= ~(uint64_t{1} << (step.choice - 1));
      break;
    case HEDDLE_NOTIFY:
      if (point.value2 != 1) {
        now = 0;
      } else if (step.choice) {
        now &= ~(uint64_t{1} << (step.choice - 1));
      }
      break;
    case HEDDLE_COND_BROADCAST: now = 0; break;
    case HEDDLE_BARRIER_INIT: now = point.value << kLimitShift; break;
    case HEDDLE_BARRIER_ARRIVE:
      now |= mine;
      if (static_cast<uint64_t>(__builtin_popcountll(now & kArrived)) == now >> kLimitShift) {
        now &= ~kArrived;
        set_object(state, point.other_object, object(state, point.other_object) | mine);
      }
      break;
    case HEDDLE_BARRIER_LEAVE: set_object(state, point.other_object, object(state, point.other_object) & ~mine); break;
    case HEDDLE_SEM_INIT: now = point.value; break;
    case HEDDLE_SEM_POST: now += gives_up ? 0 : 1; break;
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_TIMEDWAIT: now -= gives_up ? 0 : 1; break;
    case HEDDLE_ONCE_ENTER:
      if (edge.value) now = 1;
      break;
    case HEDDLE_ONCE_DONE: now = gives_up ? 0 : 2; break;
    case HEDDLE_AWAIT:
      if (!gives_up) now |= mine;
      break;
    case HEDDLE_AWAIT_RESUME: now &= ~mine; break;
    case HEDDLE_COND_DESTROY:
    case HEDDLE_BARRIER_DESTROY:
    case HEDDLE_SEM_DESTROY: now = kDestroyed; break;
    default: now = 0; break;  // initialisations
  }
  set_object(state, point.object, now);
}

}  // namespace heddle::check::learn
