// SPDX-License-Identifier: Apache-2.0
//
// Condition variables. A wait is two operations: COND_WAIT gives the mutex back
// once (glibc does so also for a recursive one locked twice) and queues in one
// step; COND_RESUME takes the mutex again, once the thread was woken (or its wait
// timed out, or it woke spuriously) and the mutex can be had.
#include <errno.h>
#include <pthread.h>

#include "sync_api.h"

using namespace heddle::rt;

namespace {

SyncObject& condition_at(const pthread_cond_t* condition) { return sync_object(condition, SyncKind::kCondition); }

const char* misuse_of(const SyncObject& condition) {
  return condition.destroyed ? "use of a destroyed condition variable" : nullptr;
}

bool is_queued(const Thread& thread, const SyncObject& condition) {
  return thread.object == &condition && thread.pending.kind == HEDDLE_COND_RESUME && !thread.woken;
}

bool somebody_waits(const SyncObject& condition) {
  for (const Thread* thread = g.first; thread; thread = thread->next)
    if (is_queued(*thread, condition)) return true;
  return false;
}

bool nobody_waits(const Thread& thread) { return !somebody_waits(*thread.object); }

bool mutex_is_free(const Thread& thread) {
  return mutex_can_be_retaken(thread, *reinterpret_cast<SyncObject*>(thread.pending.value));
}
bool woken_and_mutex_free(const Thread& thread) {
  const bool cancelled = thread.cancel_requested && !thread.cancel_disabled;
  return (thread.woken || cancelled) && mutex_is_free(thread);
}

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, bool timed) {
  Thread& self = operating_thread();
  cancellation_point(self);
  SyncObject& queue = condition_at(condition);
  SyncObject& lock = mutex_object(mutex);
  announce(self, HEDDLE_COND_WAIT, queue.address, self.site);
  take_turn(self);
  touch_object(condition);
  const char* misuse = nullptr;
  const uint8_t is_timed = timed ? HEDDLE_FLAG_TIMED : 0;
  if (!give_back_mutex(self, lock, misuse)) {
    record_checked(self, lock.address, lock.type, HEDDLE_FLAG_FAILED | is_timed, misuse);
    return lock.destroyed ? EINVAL : EPERM;
  }
  if (!misuse) misuse = misuse_of(queue);
  self.woken = false;
  record_checked(self, lock.address, lock.type, is_timed, misuse);
  note_change(self, lock.address);

  announce(self, HEDDLE_COND_RESUME, queue.address, self.site);
  self.pending.value = reinterpret_cast<uint64_t>(&lock);
  self.object = &queue;
  self.ticket = ++g.tickets;
  const Turn turn = take_turn_when(self, woken_and_mutex_free, timed, true);
  const uint8_t flags = turn == Turn::kTimeout    ? HEDDLE_FLAG_TIMEOUT
                        : turn == Turn::kSpurious ? HEDDLE_FLAG_SPURIOUS
                                                  : 0;
  self.object = nullptr;
  // A signal that it took is not lost: it returns, and is cancelled where it may be cancelled next.
  const bool was_cancelled = !flags && !self.woken;
  if (flags) {
    self.pending.kind = HEDDLE_COND_LEAVE;
    record(self, 0, 0, flags);
    note_progress(self);
    announce(self, HEDDLE_COND_RESUME, queue.address, self.site);
    self.pending.value = reinterpret_cast<uint64_t>(&lock);
    self.woken = true;
    take_turn_when(self, mutex_is_free);
  }
  const int error = retake_mutex(self, lock);
  record_checked(self, lock.address, lock.type, static_cast<uint8_t>(flags | (error ? HEDDLE_FLAG_FAILED : 0)),
                 lock.destroyed ? "use of a destroyed mutex" : nullptr);
  note_change(self, lock.address);
  if (was_cancelled) cancellation_point(self);
  return error ? error : turn == Turn::kTimeout ? ETIMEDOUT : 0;
}

int timed_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* given) {
  const struct timespec deadline = seen(given);
  if (!is_valid(deadline) || !is_clock_for_waits(clock)) return EINVAL;
  const int result = wait(condition, mutex, true);
  if (result == ETIMEDOUT) advance_clock(deadline, clock);
  return result;
}

}  // namespace

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  clockid_t clock = CLOCK_REALTIME;
  int shared = 0;
  if (attributes) {
    pthread_condattr_getclock(attributes, &clock);
    pthread_condattr_getpshared(attributes, &shared);
  }
  if (!modelled_object(condition)) {
    *condition = pthread_cond_t{};
    return 0;
  }
  check_shared_object(condition, shared);
  Thread& self = operating_thread();
  announce(self, HEDDLE_COND_INIT, reinterpret_cast<uint64_t>(condition), self.site);
  take_turn(self);
  touch_object(condition);
  SyncObject& object = condition_at(condition);
  const bool is_waited_on = somebody_waits(object);
  for (Thread* thread = g.first; thread; thread = thread->next)
    if (is_queued(*thread, object)) thread->object = nullptr;  // no signal finds them any more
  *condition = pthread_cond_t{};
  sync_create(condition, SyncKind::kCondition).type = static_cast<uint8_t>(clock);
  record_checked(self, 0, 0, 0,
                 is_waited_on ? "initialisation of a condition variable that a thread waits on" : nullptr);
  note_change(self, reinterpret_cast<uint64_t>(condition));
  return 0;
}

// glibc waits until nobody waits there any more.
HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) {
  if (!modelled_object(condition)) return 0;
  Thread& self = operating_thread();
  SyncObject& object = condition_at(condition);
  announce(self, HEDDLE_COND_DESTROY, object.address, self.site);
  self.object = &object;
  take_turn_when(self, nobody_waits);
  self.object = nullptr;
  touch_object(condition);
  const char* what = misuse_of(object);
  sync_destroy(object);
  record_checked(self, 0, 0, 0, what);
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait(condition, mutex, false);
}

HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         const struct timespec* deadline) {
  const SyncObject& object = condition_at(condition);
  return timed_wait(condition, mutex, object.type == CLOCK_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME, deadline);
}

HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                         const struct timespec* deadline) {
  return timed_wait(condition, mutex, clock, deadline);
}

HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) {
  if (!modelled_object(condition)) return 0;
  Thread& self = operating_thread();
  SyncObject& object = condition_at(condition);
  announce(self, HEDDLE_COND_SIGNAL, object.address, self.site);
  take_turn(self);
  touch_object(condition);
  Thread* chosen = choose_waiter(&object);
  if (chosen) chosen->woken = true;
  record_checked(self, chosen ? chosen->number + 1 : 0, 0, 0, misuse_of(object));
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (!modelled_object(condition)) return 0;
  Thread& self = operating_thread();
  SyncObject& object = condition_at(condition);
  announce(self, HEDDLE_COND_BROADCAST, object.address, self.site);
  take_turn(self);
  touch_object(condition);
  uint64_t count = 0;
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (!is_queued(*thread, object)) continue;
    thread->woken = true;
    ++count;
  }
  record_checked(self, count, 0, 0, misuse_of(object));
  note_change(self, object.address);
  return 0;
}
