// SPDX-License-Identifier: Apache-2.0
//
// Mutexes and spin locks.
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "sync_api.h"

using namespace heddle::rt;

namespace {

SyncObject& mutex_at(const pthread_mutex_t* mutex) {
  SyncObject& object = sync_object(mutex, SyncKind::kMutex, "mutex");
  // A statically initialised mutex says its type in memory.
  if (!object.owner) object.type = static_cast<uint8_t>(seen(&mutex->__data.__kind) & 3);
  return object;
}

bool free_or_mine(const Thread& thread) {
  const SyncObject& mutex = *thread.object;
  return !mutex.owner || (mutex.owner == &thread && mutex.type != PTHREAD_MUTEX_TIMED_NP);
}

int acquire(Thread& self, SyncObject& mutex) {
  if (mutex.owner == &self) {
    if (mutex.type == PTHREAD_MUTEX_ERRORCHECK) {
      record(self, 0, 0, HEDDLE_FLAG_FAILED);
      return EDEADLK;
    }
    ++mutex.count;
  } else {
    mutex.owner = &self;
    mutex.count = 1;
  }
  record(self, mutex.count);
  note_change(self, mutex.address);
  return 0;
}

int lock(pthread_mutex_t* mutex, bool timed) {
  Thread& self = *g.current;
  SyncObject& object = mutex_at(mutex);
  const uint8_t kind = timed ? HEDDLE_MUTEX_TIMEDLOCK : HEDDLE_MUTEX_LOCK;
  announce(self, kind, object.address, self.site);
  self.object = &object;
  if (take_turn_when(self, free_or_mine, timed) == Turn::kTimeout) {
    record(self, 0, 0, HEDDLE_FLAG_TIMEOUT);
    note_progress(self);
    return ETIMEDOUT;
  }
  return acquire(self, object);
}

}  // namespace

namespace heddle::rt {

void mutex_release_fully(Thread& self, SyncObject& mutex, uint32_t& depth) {
  depth = mutex.count;
  mutex.owner = nullptr;
  mutex.count = 0;
  note_change(self, mutex.address);
}

SyncObject& mutex_object(const pthread_mutex_t* mutex) { return mutex_at(mutex); }

}  // namespace heddle::rt

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  int type = PTHREAD_MUTEX_DEFAULT, robust = 0;
  if (attributes) {
    pthread_mutexattr_gettype(attributes, &type);
    pthread_mutexattr_getrobust(attributes, &robust);
  }
  if (!modelled_object(mutex)) {
    *mutex = pthread_mutex_t{};
    mutex->__data.__kind = type;
    return 0;
  }
  if (robust) unsupported("robust mutexes");
  Thread& self = *g.current;
  announce(self, HEDDLE_MUTEX_INIT, reinterpret_cast<uint64_t>(mutex), self.site);
  take_turn(self);
  if (SyncObject* known = sync_find(mutex);
      known && known->kind == SyncKind::kMutex && known->owner && !known->destroyed)
    misuse(known->address, "initialisation of a mutex that is held");
  *mutex = pthread_mutex_t{};
  mutex->__data.__kind = type;
  sync_create(mutex, SyncKind::kMutex).type = static_cast<uint8_t>(type);
  record(self);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!modelled_object(mutex)) return 0;
  Thread& self = *g.current;
  SyncObject& object = mutex_at(mutex);
  announce(self, HEDDLE_MUTEX_DESTROY, object.address, self.site);
  take_turn(self);
  if (object.owner) misuse(object.address, "destruction of a mutex that is held");
  sync_destroy(object);
  record(self);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) { return modelled_object(mutex) ? lock(mutex, false) : 0; }

HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* given) {
  if (!modelled_object(mutex)) return 0;
  struct timespec deadline;
  if (!read_deadline(given, deadline)) return EINVAL;
  const int result = lock(mutex, true);
  if (result == ETIMEDOUT) advance_clock(deadline, CLOCK_REALTIME);
  return result;
}

HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* given) {
  if (!modelled_object(mutex)) return 0;
  struct timespec deadline;
  if (!read_deadline(given, deadline)) return EINVAL;
  const int result = lock(mutex, true);
  if (result == ETIMEDOUT) advance_clock(deadline, clock);
  return result;
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (!modelled_object(mutex)) return 0;
  Thread& self = *g.current;
  SyncObject& object = mutex_at(mutex);
  announce(self, HEDDLE_MUTEX_TRYLOCK, object.address, self.site);
  take_turn_to_look(self, object.address, 0);
  if (object.owner && !(object.owner == &self && object.type == PTHREAD_MUTEX_RECURSIVE)) {
    record(self, 0, 0, HEDDLE_FLAG_FAILED);
    note_read(self, self.site, object.address, 1);
    return EBUSY;
  }
  return acquire(self, object);
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!modelled_object(mutex)) return 0;
  Thread& self = *g.current;
  SyncObject& object = mutex_at(mutex);
  announce(self, HEDDLE_MUTEX_UNLOCK, object.address, self.site);
  take_turn(self);
  if (object.owner != &self) {
    if (object.type == PTHREAD_MUTEX_ERRORCHECK || object.type == PTHREAD_MUTEX_RECURSIVE) {
      record(self, 0, 0, HEDDLE_FLAG_FAILED);
      return EPERM;
    }
    misuse(object.address,
           object.owner ? "unlock of a mutex held by another thread" : "unlock of a mutex that is not held");
  }
  if (--object.count == 0) object.owner = nullptr;
  record(self, object.count);
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* spin, int) {
  *spin = 0;
  if (!modelled()) return 0;
  Thread& self = *g.current;
  announce(self, HEDDLE_MUTEX_INIT, reinterpret_cast<uint64_t>(spin), self.site);
  take_turn(self);
  sync_create(const_cast<int*>(spin), SyncKind::kMutex);
  record(self);
  return 0;
}

namespace {

SyncObject& spin_at(pthread_spinlock_t* spin) {
  return sync_object(const_cast<int*>(spin), SyncKind::kMutex, "spin lock");
}

}  // namespace

HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* spin) {
  Thread& self = *g.current;
  SyncObject& object = spin_at(spin);
  announce(self, HEDDLE_MUTEX_DESTROY, object.address, self.site);
  take_turn(self);
  if (object.owner) misuse(object.address, "destruction of a spin lock that is held");
  sync_destroy(object);
  record(self);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* spin) {
  Thread& self = *g.current;
  SyncObject& object = spin_at(spin);
  announce(self, HEDDLE_MUTEX_LOCK, object.address, self.site);
  self.object = &object;
  take_turn_when(self, free_or_mine);
  return acquire(self, object);
}

HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* spin) {
  Thread& self = *g.current;
  SyncObject& object = spin_at(spin);
  announce(self, HEDDLE_MUTEX_TRYLOCK, object.address, self.site);
  take_turn_to_look(self, object.address, 0);
  if (object.owner) {
    record(self, 0, 0, HEDDLE_FLAG_FAILED);
    note_read(self, self.site, object.address, 1);
    return EBUSY;
  }
  return acquire(self, object);
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* spin) {
  Thread& self = *g.current;
  SyncObject& object = spin_at(spin);
  announce(self, HEDDLE_MUTEX_UNLOCK, object.address, self.site);
  take_turn(self);
  if (object.owner != &self) misuse(object.address, "unlock of a spin lock that is not held");
  object.owner = nullptr;
  object.count = 0;
  record(self);
  note_change(self, object.address);
  return 0;
}
