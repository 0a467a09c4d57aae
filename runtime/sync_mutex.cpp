// SPDX-License-Identifier: Apache-2.0
//
// Mutexes and spin locks.
//
// glibc counts the users of a mutex and lets nobody destroy it while there are
// some. `SyncObject::users` is that number without the owner: threads that wait
// for a condition with this mutex, less unlocks by threads that never held it.
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "sync_api.h"

using namespace heddle::rt;

namespace {

// As glibc keeps them in __kind.
constexpr int kTypeBits = 3, kRobustBit = 16, kPriorityBits = 32 | 64;

bool is_spin(const SyncObject& mutex) { return mutex.type == kSpinLock; }

SyncObject& mutex_at(const pthread_mutex_t* mutex) { return sync_object(mutex, SyncKind::kMutex); }

// A mutex says its type in memory; that of one which is held cannot change.
void touch_mutex(SyncObject& object) {
  const auto* mutex = reinterpret_cast<const pthread_mutex_t*>(object.address);
  touch_object_to_write(mutex);
  if (object.owner || is_spin(object)) return;
  const int kind = seen(&mutex->__data.__kind);
  if (kind & kRobustBit) unsupported("robust mutexes");
  if (kind & kPriorityBits) unsupported("mutexes with a protocol of priorities");
  object.type = static_cast<uint8_t>(kind & kTypeBits);
}

bool is_owner_told(const SyncObject& mutex) {
  return mutex.type == PTHREAD_MUTEX_RECURSIVE || mutex.type == PTHREAD_MUTEX_ERRORCHECK;
}

// A spin lock that was never initialised: on this processor a lock that is free holds 1.
bool is_locked_by_nobody(const SyncObject& spin) { return spin.type == kSpinLock && spin.limit; }

bool can_be_taken(const Thread& thread, const SyncObject& mutex) {
  return !mutex.owner || (mutex.owner == &thread && is_owner_told(mutex));
}

bool can_lock(const Thread& thread) {
  return can_be_taken(thread, *thread.object) && !is_locked_by_nobody(*thread.object);
}

const char* use_of_destroyed(const SyncObject& mutex) {
  return is_spin(mutex) ? "use of a destroyed spin lock" : "use of a destroyed mutex";
}

int acquire(Thread& self, SyncObject& mutex) {
  if (mutex.destroyed && !is_spin(mutex)) {
    record_misuse(self, 0, mutex.type, HEDDLE_FLAG_FAILED, use_of_destroyed(mutex));
    return EINVAL;
  }
  if (mutex.owner == &self && mutex.type == PTHREAD_MUTEX_ERRORCHECK) {
    record(self, mutex.count, mutex.type, HEDDLE_FLAG_FAILED);
    return EDEADLK;
  }
  mutex.owner = &self;
  ++mutex.count;
  record_checked(self, mutex.count, mutex.type, 0, mutex.destroyed ? use_of_destroyed(mutex) : nullptr);
  note_change(self, mutex.address);
  return 0;
}

int lock(SyncObject& object) {
  Thread& self = operating_thread();
  announce(self, HEDDLE_MUTEX_LOCK, object.address, self.site);
  self.object = &object;
  take_turn_when(self, can_lock);
  if (is_spin(object)) {
    touch_object_to_write(reinterpret_cast<const void*>(object.address));
  } else {
    touch_mutex(object);
  }
  return acquire(self, object);
}

// `unavailable`: what to return if another thread has it.
int attempt(SyncObject& object, int unavailable) {
  Thread& self = operating_thread();
  announce(self, HEDDLE_MUTEX_TRYLOCK, object.address, self.site);
  take_turn_to_look(self, object.address, 0);
  touch_mutex(object);
  const bool is_again = object.owner == &self && object.type == PTHREAD_MUTEX_RECURSIVE;
  if (!object.owner || object.destroyed || is_again) return acquire(self, object);
  record(self, 0, object.type, HEDDLE_FLAG_FAILED);
  note_read(self, self.site, object.address, 1);
  return unavailable;
}

int lock_until(pthread_mutex_t* mutex, const struct timespec* given, clockid_t clock) {
  if (!is_clock_for_waits(clock)) return EINVAL;
  SyncObject& object = mutex_at(mutex);
  if (!given) return lock(object);
  Thread& self = operating_thread();
  const struct timespec deadline = seen(given);
  const bool is_own = object.owner == &self && is_owner_told(object);
  const bool has_passed = deadline.tv_sec < 0 || has_long_passed(deadline, clock);
  if (has_passed && !is_own) return attempt(object, ETIMEDOUT);
  if (!is_valid(deadline) && !is_own) return attempt(object, EINVAL);
  announce(self, HEDDLE_MUTEX_TIMEDLOCK, object.address, self.site);
  self.object = &object;
  if (take_turn_when(self, can_lock, true) == Turn::kTimeout) {
    record(self, 0, object.type, HEDDLE_FLAG_TIMEOUT);
    note_progress(self);
    advance_clock(deadline, clock);
    return ETIMEDOUT;
  }
  touch_mutex(object);
  return acquire(self, object);
}

// Gives it up once. Null, or why that is a misuse.
const char* release(Thread& self, SyncObject& mutex) {
  if (mutex.owner == &self) {
    if (--mutex.count == 0) mutex.owner = nullptr;
    return nullptr;
  }
  const bool is_held = mutex.owner;
  if (!is_held) --mutex.users;
  mutex.owner = nullptr;
  mutex.count = 0;
  mutex.limit = 0;
  if (is_spin(mutex))
    return is_held ? "unlock of a spin lock held by another thread" : "unlock of a spin lock that is not held";
  return is_held ? "unlock of a mutex held by another thread" : "unlock of a mutex that is not held";
}

}  // namespace

namespace heddle::rt {

SyncObject& mutex_object(const pthread_mutex_t* mutex) { return mutex_at(mutex); }

bool give_back_mutex(Thread& self, SyncObject& mutex, const char*& misuse) {
  touch_mutex(mutex);
  misuse = mutex.destroyed ? use_of_destroyed(mutex) : nullptr;
  if (mutex.destroyed || (mutex.owner != &self && is_owner_told(mutex))) return false;
  ++mutex.users;
  misuse = release(self, mutex) ? "wait on a condition without holding its mutex" : nullptr;
  return true;
}

bool mutex_can_be_retaken(const Thread& thread, const SyncObject& mutex) { return can_be_taken(thread, mutex); }

int retake_mutex(Thread& self, SyncObject& mutex) {
  --mutex.users;
  if (mutex.destroyed) return EINVAL;
  if (mutex.owner == &self && mutex.type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  mutex.owner = &self;
  ++mutex.count;
  return 0;
}

}  // namespace heddle::rt

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  int type = PTHREAD_MUTEX_DEFAULT, robust = 0, protocol = 0, shared = 0;
  if (attributes) {
    pthread_mutexattr_gettype(attributes, &type);
    pthread_mutexattr_getrobust(attributes, &robust);
    pthread_mutexattr_getprotocol(attributes, &protocol);
    pthread_mutexattr_getpshared(attributes, &shared);
  }
  if (!modelled_object(mutex)) {
    *mutex = pthread_mutex_t{};
    mutex->__data.__kind = type;
    return 0;
  }
  if (robust) unsupported("robust mutexes");
  if (protocol) unsupported("mutexes with a protocol of priorities");
  check_shared_object(mutex, shared);
  Thread& self = operating_thread();
  announce(self, HEDDLE_MUTEX_INIT, reinterpret_cast<uint64_t>(mutex), self.site);
  take_turn(self);
  touch_object_to_write(mutex);
  const SyncObject* known = sync_find(mutex);
  const bool is_held = known && known->kind == SyncKind::kMutex && known->owner && !known->destroyed;
  *mutex = pthread_mutex_t{};
  mutex->__data.__kind = type;
  sync_create(mutex, SyncKind::kMutex).type = static_cast<uint8_t>(type);
  record_checked(self, 0, static_cast<uint64_t>(type), 0, is_held ? "initialisation of a mutex that is held" : nullptr);
  note_change(self, reinterpret_cast<uint64_t>(mutex));
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!modelled_object(mutex)) return 0;
  Thread& self = operating_thread();
  SyncObject& object = mutex_at(mutex);
  announce(self, HEDDLE_MUTEX_DESTROY, object.address, self.site);
  take_turn(self);
  touch_mutex(object);
  if (!object.destroyed && (object.owner != nullptr) + object.users != 0) {
    record_misuse(self, 0, object.type, HEDDLE_FLAG_FAILED,
                  object.owner ? "destruction of a mutex that is held" : "destruction of a mutex that is in use");
    return EBUSY;
  }
  const char* what = object.destroyed ? use_of_destroyed(object)
                     : object.owner   ? "destruction of a mutex that is held"
                                      : nullptr;
  object.owner = nullptr;
  object.count = 0;
  object.users = 0;
  sync_destroy(object);
  record_checked(self, 0, object.type, 0, what);
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  return modelled_object(mutex) ? lock(mutex_at(mutex)) : 0;
}

HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* deadline) {
  return modelled_object(mutex) ? lock_until(mutex, deadline, CLOCK_REALTIME) : 0;
}

HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* deadline) {
  return modelled_object(mutex) ? lock_until(mutex, deadline, clock) : 0;
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  return modelled_object(mutex) ? attempt(mutex_at(mutex), EBUSY) : 0;
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!modelled_object(mutex)) return 0;
  Thread& self = operating_thread();
  SyncObject& object = mutex_at(mutex);
  announce(self, HEDDLE_MUTEX_UNLOCK, object.address, self.site);
  take_turn(self);
  touch_mutex(object);
  if (object.destroyed) {
    record_misuse(self, 0, object.type, HEDDLE_FLAG_FAILED, use_of_destroyed(object));
    return EINVAL;
  }
  if (object.owner != &self && is_owner_told(object)) {
    record(self, 0, object.type, HEDDLE_FLAG_FAILED);
    return EPERM;
  }
  const char* what = release(self, object);
  record_checked(self, object.count, object.type, 0, what);
  note_change(self, object.address);
  return 0;
}

namespace {

SyncObject& spin_at(pthread_spinlock_t* spin) {
  const void* address = const_cast<int*>(spin);
  SyncObject* known = sync_find(address);
  if (known && known->kind == SyncKind::kMutex && known->type == kSpinLock) return *known;
  SyncObject& object = sync_create(address, SyncKind::kMutex);
  object.type = kSpinLock;
  const bool is_readable = can_be_read(object.address, sizeof(int));
  object.limit = is_readable && seen(static_cast<const int*>(address)) != kFreeSpin;
  return object;
}

const char* misuse_of(const SyncObject& spin) { return spin.destroyed ? use_of_destroyed(spin) : nullptr; }

}  // namespace

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* spin, int shared) {
  if (!modelled()) {
    *spin = kFreeSpin;
    return 0;
  }
  const void* address = const_cast<int*>(spin);
  check_shared_object(address, shared == PTHREAD_PROCESS_SHARED);
  Thread& self = operating_thread();
  announce(self, HEDDLE_MUTEX_INIT, reinterpret_cast<uint64_t>(address), self.site);
  take_turn(self);
  touch_object_to_write(address);
  const bool is_held = spin_at(spin).owner;
  *spin = kFreeSpin;
  sync_create(address, SyncKind::kMutex).type = kSpinLock;
  record_checked(self, 0, kSpinLock, 0, is_held ? "initialisation of a spin lock that is held" : nullptr);
  note_change(self, reinterpret_cast<uint64_t>(address));
  return 0;
}

// glibc does nothing here, not even look at the lock.
HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* spin) {
  if (!modelled_object(const_cast<int*>(spin))) return 0;
  Thread& self = operating_thread();
  SyncObject& object = spin_at(spin);
  announce(self, HEDDLE_MUTEX_DESTROY, object.address, self.site);
  take_turn(self);
  const char* what = object.owner ? "destruction of a spin lock that is held" : misuse_of(object);
  sync_destroy(object);
  record_checked(self, 0, kSpinLock, 0, what);
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* spin) {
  return modelled_object(const_cast<int*>(spin)) ? lock(spin_at(spin)) : 0;
}

HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* spin) {
  if (!modelled_object(const_cast<int*>(spin))) return 0;
  Thread& self = operating_thread();
  SyncObject& object = spin_at(spin);
  announce(self, HEDDLE_MUTEX_TRYLOCK, object.address, self.site);
  take_turn_to_look(self, object.address, 0);
  touch_object_to_write(const_cast<int*>(spin));
  if (!object.owner && !is_locked_by_nobody(object)) return acquire(self, object);
  record_checked(self, 0, kSpinLock, HEDDLE_FLAG_FAILED, misuse_of(object));
  note_read(self, self.site, object.address, 1);
  return EBUSY;
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* spin) {
  if (!modelled_object(const_cast<int*>(spin))) return 0;
  Thread& self = operating_thread();
  SyncObject& object = spin_at(spin);
  announce(self, HEDDLE_MUTEX_UNLOCK, object.address, self.site);
  take_turn(self);
  touch_object_to_write(const_cast<int*>(spin));
  const char* what = release(self, object);
  record_checked(self, 0, kSpinLock, 0, what ? what : misuse_of(object));
  note_change(self, object.address);
  return 0;
}
