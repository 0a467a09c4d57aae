// SPDX-License-Identifier: Apache-2.0
//
// Condition variables. A wait is two operations: COND_WAIT gives up the mutex
// and queues in one step; COND_RESUME takes the mutex back, once the thread was
// woken (or its wait timed out, or it woke spuriously) and the mutex is free.
#include <errno.h>
#include <pthread.h>

#include "sync_api.h"

using namespace heddle::rt;

namespace {

SyncObject& condition_at(const pthread_cond_t* condition) {
  return sync_object(condition, SyncKind::kCondition, "condition variable");
}

bool mutex_is_free(const Thread& thread) { return !reinterpret_cast<SyncObject*>(thread.pending.value)->owner; }
bool woken_and_mutex_free(const Thread& thread) {
  const bool cancelled = thread.cancel_requested && !thread.cancel_disabled;
  return (thread.woken || cancelled) && mutex_is_free(thread);
}

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, bool timed) {
  Thread& self = *g.current;
  cancellation_point(self);
  SyncObject& queue = condition_at(condition);
  SyncObject& lock = mutex_object(mutex);
  announce(self, HEDDLE_COND_WAIT, queue.address, self.site);
  take_turn(self);
  if (lock.owner != &self) misuse(queue.address, "wait on a condition without holding its mutex");
  record(self, lock.address, 0, timed ? HEDDLE_FLAG_TIMED : 0);
  uint32_t depth;
  mutex_release_fully(self, lock, depth);

  announce(self, HEDDLE_COND_RESUME, queue.address, self.site);
  self.pending.value = reinterpret_cast<uint64_t>(&lock);
  self.object = &queue;
  self.woken = false;
  self.ticket = ++g.tickets;
  const Turn turn = take_turn_when(self, woken_and_mutex_free, timed, true);
  const uint8_t flags = turn == Turn::kTimeout    ? HEDDLE_FLAG_TIMEOUT
                        : turn == Turn::kSpurious ? HEDDLE_FLAG_SPURIOUS
                                                  : 0;
  self.object = nullptr;
  if (flags) {
    self.pending.kind = HEDDLE_COND_LEAVE;
    record(self, 0, 0, flags);
    note_progress(self);
    announce(self, HEDDLE_COND_RESUME, queue.address, self.site);
    self.pending.value = reinterpret_cast<uint64_t>(&lock);
    self.woken = true;
    take_turn_when(self, mutex_is_free);
  }
  lock.owner = &self;
  lock.count = depth;
  record(self, lock.address, 0, flags);
  note_change(self, lock.address);
  cancellation_point(self);
  return turn == Turn::kTimeout ? ETIMEDOUT : 0;
}

int timed_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* given) {
  struct timespec deadline;
  if (!read_deadline(given, deadline)) return EINVAL;
  const int result = wait(condition, mutex, true);
  if (result == ETIMEDOUT) advance_clock(deadline, clock);
  return result;
}

}  // namespace

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  *condition = pthread_cond_t{};
  clockid_t clock = CLOCK_REALTIME;
  if (attributes) pthread_condattr_getclock(attributes, &clock);
  if (!modelled_object(condition)) return 0;
  Thread& self = *g.current;
  announce(self, HEDDLE_COND_INIT, reinterpret_cast<uint64_t>(condition), self.site);
  take_turn(self);
  sync_create(condition, SyncKind::kCondition).type = static_cast<uint8_t>(clock);
  record(self);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) {
  if (!modelled_object(condition)) return 0;
  Thread& self = *g.current;
  SyncObject& object = condition_at(condition);
  announce(self, HEDDLE_COND_DESTROY, object.address, self.site);
  take_turn(self);
  for (Thread* thread = g.first; thread; thread = thread->next)
    if (thread->object == &object && thread->pending.kind == HEDDLE_COND_RESUME && !thread->woken)
      misuse(object.address, "destruction of a condition variable that a thread waits on");
  sync_destroy(object);
  record(self);
  note_progress(self);
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
  Thread& self = *g.current;
  SyncObject& object = condition_at(condition);
  announce(self, HEDDLE_COND_SIGNAL, object.address, self.site);
  take_turn(self);
  Thread* chosen = choose_waiter(&object);
  if (chosen) chosen->woken = true;
  record(self, chosen ? chosen->number + 1 : 0);
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (!modelled_object(condition)) return 0;
  Thread& self = *g.current;
  SyncObject& object = condition_at(condition);
  announce(self, HEDDLE_COND_BROADCAST, object.address, self.site);
  take_turn(self);
  uint64_t count = 0;
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (thread->object != &object || thread->pending.kind != HEDDLE_COND_RESUME || thread->woken) continue;
    thread->woken = true;
    ++count;
  }
  record(self, count);
  note_change(self, object.address);
  return 0;
}
