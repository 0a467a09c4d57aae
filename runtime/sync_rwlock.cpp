// SPDX-License-Identifier: Apache-2.0
//
// Reader-writer locks: any number of readers or one writer.
//
// Locks of kind PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP let no further
// readers in beside others while a writer waits: it lines up (RWLOCK_LINE_UP)
// before it takes the lock. glibc prefers readers in locks of all other kinds.
//
// Unlocking a lock that is not held, or that another thread writes under, takes one
// off the number of readers: writers wait for ever then.
#include <errno.h>
#include <pthread.h>

#include "sync_api.h"

using namespace heddle::rt;

namespace {

SyncObject& rwlock_at(const pthread_rwlock_t* lock) { return sync_object(lock, SyncKind::kRwlock); }

// The kind is in memory, also that of a static initialiser; it never changes while the lock is in use.
void look_at_kind(SyncObject& object) {
  const auto* lock = reinterpret_cast<const pthread_rwlock_t*>(object.address);
  if (!object.owner && !object.count) object.type = static_cast<uint8_t>(seen(&lock->__data.__flags));
}

void touch_rwlock(SyncObject& object) {
  touch_object_to_write(reinterpret_cast<const void*>(object.address));
  look_at_kind(object);
}

bool prefers_writers(const SyncObject& lock) { return lock.type == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }

// There would be more readers than can be counted; so it is after unlocks without a lock.
bool is_full(const SyncObject& lock) { return lock.count + 1 > INT32_MAX; }

bool can_read(const Thread& thread) {
  const SyncObject& lock = *thread.object;
  if (lock.owner == &thread || is_full(lock)) return true;  // it is told so
  if (lock.owner) return false;
  return !(prefers_writers(lock) && lock.lined_up && lock.count);
}
bool can_write(const Thread& thread) {
  const SyncObject& lock = *thread.object;
  return lock.owner ? lock.owner == &thread : !lock.count;
}

const char* misuse_of(const SyncObject& lock) {
  return lock.destroyed ? "use of a destroyed reader-writer lock" : nullptr;
}

struct How {
  uint8_t kind;
  bool write;
  bool timed;
};
constexpr How kRead = {HEDDLE_RWLOCK_READ, false, false};
constexpr How kTimedRead = {HEDDLE_RWLOCK_TIMEDREAD, false, true};
constexpr How kWrite = {HEDDLE_RWLOCK_WRITE, true, false};
constexpr How kTimedWrite = {HEDDLE_RWLOCK_TIMEDWRITE, true, true};

int take(Thread& self, SyncObject& lock, bool write) {
  if (write) {
    lock.owner = &self;
  } else {
    ++lock.count;
  }
  record_checked(self, lock.count, lock.type, 0, misuse_of(lock));
  note_change(self, lock.address);
  return 0;
}

// `unavailable`: what to return if others have it.
int attempt(SyncObject& lock, bool write, int unavailable) {
  Thread& self = operating_thread();
  announce(self, write ? HEDDLE_RWLOCK_TRYWRITE : HEDDLE_RWLOCK_TRYREAD, lock.address, self.site);
  take_turn_to_look(self, lock.address, 0);
  touch_rwlock(lock);
  const bool is_free = write ? !lock.count : !(prefers_writers(lock) && lock.lined_up);
  if (!write && is_full(lock)) {
    record_checked(self, 0, lock.type, HEDDLE_FLAG_FAILED, misuse_of(lock));
    note_read(self, self.site, lock.address, 1);
    return EAGAIN;
  }
  if (!lock.owner && is_free) return take(self, lock, write);
  record_checked(self, 0, lock.type, HEDDLE_FLAG_FAILED, misuse_of(lock));
  note_read(self, self.site, lock.address, 1);
  return unavailable;
}

void line_up(Thread& self, SyncObject& lock) {
  announce(self, HEDDLE_RWLOCK_LINE_UP, lock.address, self.site);
  take_turn(self);
  touch_rwlock(lock);
  ++lock.lined_up;
  record(self, 0, lock.type);
  note_change(self, lock.address);
}

int acquire(SyncObject& lock, How how) {
  Thread& self = operating_thread();
  // The kind says which operation comes next; an address that cannot be read is a matter of its turn.
  if (can_be_read(lock.address, sizeof(pthread_rwlock_t))) look_at_kind(lock);
  const bool lines_up = how.write && prefers_writers(lock) && lock.owner != &self;
  if (lines_up) line_up(self, lock);
  announce(self, how.kind, lock.address, self.site);
  self.object = &lock;
  const Turn turn = take_turn_when(self, how.write ? can_write : can_read, how.timed);
  if (lines_up && lock.lined_up) --lock.lined_up;
  if (turn == Turn::kTimeout) {
    record(self, 0, lock.type, HEDDLE_FLAG_TIMEOUT);
    if (lines_up) note_change(self, lock.address);
    note_progress(self);
    return ETIMEDOUT;
  }
  touch_rwlock(lock);
  const bool is_own = lock.owner == &self;
  if (!is_own && (how.write || !is_full(lock))) return take(self, lock, how.write);
  record_checked(self, 0, lock.type, HEDDLE_FLAG_FAILED, misuse_of(lock));
  note_read(self, self.site, lock.address, 1);  // a caller that tries again waits in a loop
  return is_own ? EDEADLK : EAGAIN;
}

int acquire_until(pthread_rwlock_t* lock, How how, clockid_t clock, const struct timespec* given) {
  if (!modelled_object(lock)) return 0;
  if (!given) return acquire(rwlock_at(lock), how.write ? kWrite : kRead);
  if (!is_clock_for_waits(clock)) return EINVAL;
  const struct timespec deadline = seen(given);
  if (!is_valid(deadline)) return EINVAL;
  SyncObject& object = rwlock_at(lock);
  if (has_long_passed(deadline, clock) && object.owner != g.current) return attempt(object, how.write, ETIMEDOUT);
  const int result = acquire(object, how);
  if (result == ETIMEDOUT) advance_clock(deadline, clock);
  return result;
}

}  // namespace

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  int preference = PTHREAD_RWLOCK_DEFAULT_NP, shared = 0;
  if (attributes) {
    pthread_rwlockattr_getkind_np(attributes, &preference);
    pthread_rwlockattr_getpshared(attributes, &shared);
  }
  if (!modelled_object(lock)) {
    *lock = pthread_rwlock_t{};
    lock->__data.__flags = static_cast<unsigned>(preference);
    return 0;
  }
  check_shared_object(lock, shared);
  Thread& self = operating_thread();
  announce(self, HEDDLE_RWLOCK_INIT, reinterpret_cast<uint64_t>(lock), self.site);
  take_turn(self);
  touch_object_to_write(lock);
  const SyncObject* known = sync_find(lock);
  const bool is_held = known && known->kind == SyncKind::kRwlock && (known->owner || known->count) && !known->destroyed;
  *lock = pthread_rwlock_t{};
  lock->__data.__flags = static_cast<unsigned>(preference);
  sync_create(lock, SyncKind::kRwlock).type = static_cast<uint8_t>(preference);
  record_checked(self, 0, static_cast<uint64_t>(preference), 0,
                 is_held ? "initialisation of a reader-writer lock that is held" : nullptr);
  note_change(self, reinterpret_cast<uint64_t>(lock));
  return 0;
}

// glibc does nothing here, not even look at the lock.
HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (!modelled_object(lock)) return 0;
  Thread& self = operating_thread();
  SyncObject& object = rwlock_at(lock);
  announce(self, HEDDLE_RWLOCK_DESTROY, object.address, self.site);
  take_turn(self);
  const char* what =
      object.owner || object.count ? "destruction of a reader-writer lock that is held" : misuse_of(object);
  sync_destroy(object);
  record_checked(self, 0, object.type, 0, what);
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  return modelled_object(lock) ? acquire(rwlock_at(lock), kRead) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  return modelled_object(lock) ? attempt(rwlock_at(lock), false, EBUSY) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  return modelled_object(lock) ? acquire(rwlock_at(lock), kWrite) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  return modelled_object(lock) ? attempt(rwlock_at(lock), true, EBUSY) : 0;
}

HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* deadline) {
  return acquire_until(lock, kTimedRead, CLOCK_REALTIME, deadline);
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* deadline) {
  return acquire_until(lock, kTimedWrite, CLOCK_REALTIME, deadline);
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline) {
  return acquire_until(lock, kTimedRead, clock, deadline);
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* deadline) {
  return acquire_until(lock, kTimedWrite, clock, deadline);
}

HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (!modelled_object(lock)) return 0;
  Thread& self = operating_thread();
  SyncObject& object = rwlock_at(lock);
  announce(self, HEDDLE_RWLOCK_UNLOCK, object.address, self.site);
  take_turn(self);
  touch_rwlock(object);
  const char* what = misuse_of(object);
  if (object.owner == &self) {
    object.owner = nullptr;
  } else {
    if (object.owner) {
      what = "unlock of a reader-writer lock held by another thread";
    } else if (!object.count) {
      what = "unlock of a reader-writer lock that is not held";
    }
    --object.count;
  }
  record_checked(self, object.count, object.type, 0, what);
  note_change(self, object.address);
  return 0;
}
