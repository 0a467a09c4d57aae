// SPDX-License-Identifier: Apache-2.0
//
// Reader-writer locks: any number of readers or one writer; nobody is preferred.
#include <errno.h>
#include <pthread.h>

#include "sync_api.h"

using namespace heddle::rt;

namespace {

SyncObject& rwlock_at(const pthread_rwlock_t* lock) {
  return sync_object(lock, SyncKind::kRwlock, "reader-writer lock");
}

bool no_writer(const Thread& thread) { return !thread.object->owner; }
bool nobody(const Thread& thread) { return !thread.object->owner && !thread.object->count; }

struct How {
  uint8_t kind;
  bool write;
  bool attempt;
  bool timed;
};

int acquire(pthread_rwlock_t* lock, How how) {
  Thread& self = *g.current;
  SyncObject& object = rwlock_at(lock);
  announce(self, how.kind, object.address, self.site);
  self.object = &object;
  const Ready ready = how.write ? nobody : no_writer;
  if (how.attempt) {
    take_turn_to_look(self, object.address, 0);
    self.object = &object;
    if (!ready(self)) {
      record(self, 0, 0, HEDDLE_FLAG_FAILED);
      note_read(self, self.site, object.address, 1);
      return EBUSY;
    }
  } else {
    if (object.owner == &self) {
      take_turn(self);
      record(self, 0, 0, HEDDLE_FLAG_FAILED);
      return EDEADLK;
    }
    if (take_turn_when(self, ready, how.timed) == Turn::kTimeout) {
      record(self, 0, 0, HEDDLE_FLAG_TIMEOUT);
      note_progress(self);
      return ETIMEDOUT;
    }
  }
  if (how.write) {
    object.owner = &self;
  } else {
    ++object.count;
  }
  record(self, object.count);
  note_change(self, object.address);
  return 0;
}

int acquire_timed(pthread_rwlock_t* lock, How how, clockid_t clock, const struct timespec* given) {
  struct timespec deadline;
  if (!read_deadline(given, deadline)) return EINVAL;
  const int result = acquire(lock, how);
  if (result == ETIMEDOUT) advance_clock(deadline, clock);
  return result;
}

constexpr How kRead = {HEDDLE_RWLOCK_READ, false, false, false};
constexpr How kTryRead = {HEDDLE_RWLOCK_TRYREAD, false, true, false};
constexpr How kTimedRead = {HEDDLE_RWLOCK_TIMEDREAD, false, false, true};
constexpr How kWrite = {HEDDLE_RWLOCK_WRITE, true, false, false};
constexpr How kTryWrite = {HEDDLE_RWLOCK_TRYWRITE, true, true, false};
constexpr How kTimedWrite = {HEDDLE_RWLOCK_TIMEDWRITE, true, false, true};

}  // namespace

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t*) {
  *lock = pthread_rwlock_t{};
  if (!modelled_object(lock)) return 0;
  Thread& self = *g.current;
  announce(self, HEDDLE_RWLOCK_INIT, reinterpret_cast<uint64_t>(lock), self.site);
  take_turn(self);
  sync_create(lock, SyncKind::kRwlock);
  record(self);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (!modelled_object(lock)) return 0;
  Thread& self = *g.current;
  SyncObject& object = rwlock_at(lock);
  announce(self, HEDDLE_RWLOCK_DESTROY, object.address, self.site);
  take_turn(self);
  if (object.owner || object.count) misuse(object.address, "destruction of a reader-writer lock that is held");
  sync_destroy(object);
  record(self);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  return modelled_object(lock) ? acquire(lock, kRead) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  return modelled_object(lock) ? acquire(lock, kTryRead) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  return modelled_object(lock) ? acquire(lock, kWrite) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  return modelled_object(lock) ? acquire(lock, kTryWrite) : 0;
}

HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* deadline) {
  return acquire_timed(lock, kTimedRead, CLOCK_REALTIME, deadline);
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* deadline) {
  return acquire_timed(lock, kTimedWrite, CLOCK_REALTIME, deadline);
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline) {
  return acquire_timed(lock, kTimedRead, clock, deadline);
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline) {
  return acquire_timed(lock, kTimedWrite, clock, deadline);
}

HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (!modelled_object(lock)) return 0;
  Thread& self = *g.current;
  SyncObject& object = rwlock_at(lock);
  announce(self, HEDDLE_RWLOCK_UNLOCK, object.address, self.site);
  take_turn(self);
  if (object.owner == &self) {
    object.owner = nullptr;
  } else if (object.owner) {
    misuse(object.address, "unlock of a reader-writer lock held by another thread");
  } else if (object.count) {
    --object.count;
  } else {
    misuse(object.address, "unlock of a reader-writer lock that is not held");
  }
  record(self, object.count);
  note_change(self, object.address);
  return 0;
}
