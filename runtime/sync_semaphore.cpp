// SPDX-License-Identifier: Apache-2.0
//
// POSIX semaphores without a name.
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "access.h"
#include "sync_api.h"

using namespace heddle::rt;

namespace {

SyncObject& semaphore_at(const sem_t* semaphore) {
  SyncObject* known = sync_find(semaphore);
  if (known && known->kind == SyncKind::kSemaphore) return *known;
  SyncObject& object = sync_create(semaphore, SyncKind::kSemaphore);
  object.limit = !can_be_read(object.address, 1);
  return object;
}

// A thread does not wait at an address that is no memory.
bool positive(const Thread& thread) { return thread.object->count > 0 || thread.object->limit; }

const char* misuse_of(const SyncObject& semaphore) {
  return semaphore.destroyed ? "use of a destroyed semaphore" : nullptr;
}

int fails(int error) {
  errno = error;
  return -1;
}

int decrement(Thread& self, SyncObject& object) {
  --object.count;
  record_checked(self, object.count, 0, 0, misuse_of(object));
  note_change(self, object.address);
  return 0;
}

// `unavailable`: the error if there is no token.
int attempt(sem_t* semaphore, int unavailable) {
  Thread& self = operating_thread();
  SyncObject& object = semaphore_at(semaphore);
  announce(self, HEDDLE_SEM_TRYWAIT, object.address, self.site);
  take_turn_to_look(self, object.address, 0);
  touch_object(semaphore);
  if (object.count) {
    touch_object_to_write(semaphore);
    return decrement(self, object);
  }
  record_checked(self, 0, 0, HEDDLE_FLAG_FAILED, misuse_of(object));
  note_read(self, self.site, object.address, 0);
  return fails(unavailable);
}

int wait(sem_t* semaphore, bool timed, clockid_t clock, const struct timespec* given) {
  Thread& self = operating_thread();
  struct timespec deadline = {};
  if (timed) {
    if (!is_clock_for_waits(clock)) return fails(EINVAL);
    deadline = seen(given);
    if (!is_valid(deadline)) return fails(EINVAL);
  }
  cancellation_point(self);
  if (timed && has_long_passed(deadline, clock)) return attempt(semaphore, ETIMEDOUT);
  SyncObject& object = semaphore_at(semaphore);
  announce(self, timed ? HEDDLE_SEM_TIMEDWAIT : HEDDLE_SEM_WAIT, object.address, self.site);
  self.object = &object;
  self.may_be_cancelled = true;
  const Turn turn = take_turn_when(self, positive, timed);
  if (turn == Turn::kNormal && !positive(self)) {
    record(self, 0, 0, HEDDLE_FLAG_CANCELLED);
    cancellation_point(self);
  }
  if (turn == Turn::kTimeout) {
    record(self, object.count, 0, HEDDLE_FLAG_TIMEOUT);
    note_progress(self);
    advance_clock(deadline, clock);
    return fails(ETIMEDOUT);
  }
  touch_object_to_write(semaphore);
  return decrement(self, object);
}

}  // namespace

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) {
  if (value > SEM_VALUE_MAX) return fails(EINVAL);
  check_shared_object(semaphore, shared);
  Thread& self = operating_thread();
  announce(self, HEDDLE_SEM_INIT, reinterpret_cast<uint64_t>(semaphore), self.site);
  take_turn(self);
  touch_object_to_write(semaphore);
  sync_create(semaphore, SyncKind::kSemaphore).count = value;
  record(self, value);
  note_change(self, reinterpret_cast<uint64_t>(semaphore));
  return 0;
}

// glibc does nothing here, not even look at the semaphore.
HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) {
  Thread& self = operating_thread();
  SyncObject& object = semaphore_at(semaphore);
  announce(self, HEDDLE_SEM_DESTROY, object.address, self.site);
  take_turn(self);
  const char* what = misuse_of(object);
  sync_destroy(object);
  record_checked(self, 0, 0, 0, what);
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int sem_wait(sem_t* semaphore) { return wait(semaphore, false, 0, nullptr); }
HEDDLE_EXPORT int sem_timedwait(sem_t* semaphore, const struct timespec* deadline) {
  return wait(semaphore, true, CLOCK_REALTIME, deadline);
}
HEDDLE_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* deadline) {
  return wait(semaphore, true, clock, deadline);
}

HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) { return attempt(semaphore, EAGAIN); }

HEDDLE_EXPORT int sem_post(sem_t* semaphore) {
  Thread& self = operating_thread();
  SyncObject& object = semaphore_at(semaphore);
  announce(self, HEDDLE_SEM_POST, object.address, self.site);
  take_turn(self);
  touch_object_to_write(semaphore);
  if (object.count == SEM_VALUE_MAX) {
    record_checked(self, object.count, 0, HEDDLE_FLAG_FAILED, misuse_of(object));
    return fails(EOVERFLOW);
  }
  ++object.count;
  record_checked(self, object.count, 0, 0, misuse_of(object));
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int sem_getvalue(sem_t* semaphore, int* value) {
  Thread& self = operating_thread();
  SyncObject& object = semaphore_at(semaphore);
  announce(self, HEDDLE_SEM_GETVALUE, object.address, self.site);
  take_turn(self);
  touch_object(semaphore);
  const uint32_t count = object.count;
  record_checked(self, count, 0, 0, misuse_of(object));
  note_read(self, self.site, object.address, count);
  perform_store<uint32_t>(self, value, count, HEDDLE_ORDER_NOT_ATOMIC, self.site, HEDDLE_FLAG_MODEL);
  return 0;
}

HEDDLE_EXPORT sem_t* sem_open(const char*, int, ...) { unsupported("named semaphores (sem_open)"); }
