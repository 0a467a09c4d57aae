// SPDX-License-Identifier: Apache-2.0
//
// Barriers. Arriving and leaving are two operations; the last to arrive opens
// the round and is its serial thread.
//
// A barrier that is initialised again while threads wait there keeps them until
// its next round opens: so long glibc's number of the round does not change.
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "sync_api.h"

using namespace heddle::rt;

namespace {

SyncObject& barrier_at(const pthread_barrier_t* barrier) { return sync_object(barrier, SyncKind::kBarrier); }

bool round_is_over(const Thread& thread) { return thread.object->round != thread.pending.value; }
bool nobody_waits(const Thread& thread) { return !thread.object->count; }

// glibc divides by the number of threads.
void check_initialised(const SyncObject& barrier) {
  if (!barrier.limit)
    fail(HEDDLE_FAILURE_SIGNAL, barrier.address, SIGFPE, "SIGFPE: use of a barrier that was not initialised");
}

const char* misuse_of(const SyncObject& barrier) { return barrier.destroyed ? "use of a destroyed barrier" : nullptr; }

}  // namespace

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                       unsigned count) {
  constexpr unsigned kMost = 0x7fffffff;
  if (count == 0 || count > kMost) return EINVAL;
  int shared = 0;
  if (attributes) pthread_barrierattr_getpshared(attributes, &shared);
  check_shared_object(barrier, shared);
  Thread& self = operating_thread();
  announce(self, HEDDLE_BARRIER_INIT, reinterpret_cast<uint64_t>(barrier), self.site);
  take_turn(self);
  touch_object_to_write(barrier);
  SyncObject& object = barrier_at(barrier);
  const char* what = object.count ? "initialisation of a barrier that a thread waits at" : nullptr;
  *barrier = pthread_barrier_t{};
  object.limit = count;
  object.count = 0;
  object.destroyed = false;
  record_checked(self, count, 0, 0, what);
  note_change(self, object.address);
  return 0;
}

// glibc waits until nobody is inside any more.
HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  Thread& self = operating_thread();
  SyncObject& object = barrier_at(barrier);
  announce(self, HEDDLE_BARRIER_DESTROY, object.address, self.site);
  self.object = &object;
  take_turn_when(self, nobody_waits);
  self.object = nullptr;
  touch_object_to_write(barrier);
  check_initialised(object);
  const char* what = misuse_of(object);
  sync_destroy(object);
  record_checked(self, 0, 0, 0, what);
  note_change(self, object.address);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  Thread& self = operating_thread();
  SyncObject& object = barrier_at(barrier);
  announce(self, HEDDLE_BARRIER_ARRIVE, object.address, self.site);
  take_turn(self);
  touch_object_to_write(barrier);
  check_initialised(object);
  const uint32_t round = object.round;
  const bool last = ++object.count == object.limit;
  const uint32_t arrived = object.count;
  if (last) {
    object.count = 0;
    ++object.round;
  }
  record_checked(self, round, arrived, 0, misuse_of(object));
  note_change(self, object.address);

  announce(self, HEDDLE_BARRIER_LEAVE, object.address, self.site);
  self.pending.value = round;
  self.object = &object;
  take_turn_when(self, round_is_over);
  self.object = nullptr;
  record(self, round, 0, last ? HEDDLE_FLAG_SERIAL : 0);
  note_progress(self);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
