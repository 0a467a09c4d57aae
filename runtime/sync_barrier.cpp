// SPDX-License-Identifier: Apache-2.0
//
// Barriers. Arriving and leaving are two operations; the last to arrive opens
// the round and is its serial thread.
#include <errno.h>
#include <pthread.h>

#include "sync_api.h"

using namespace heddle::rt;

namespace {

SyncObject& barrier_at(const pthread_barrier_t* barrier) { return sync_object(barrier, SyncKind::kBarrier, "barrier"); }

bool round_is_over(const Thread& thread) { return thread.object->round != thread.pending.value; }

}  // namespace

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*, unsigned count) {
  if (count == 0) return EINVAL;
  *barrier = pthread_barrier_t{};
  Thread& self = *g.current;
  announce(self, HEDDLE_BARRIER_INIT, reinterpret_cast<uint64_t>(barrier), self.site);
  take_turn(self);
  sync_create(barrier, SyncKind::kBarrier).limit = count;
  record(self, count);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  Thread& self = *g.current;
  SyncObject& object = barrier_at(barrier);
  announce(self, HEDDLE_BARRIER_DESTROY, object.address, self.site);
  take_turn(self);
  if (object.count) misuse(object.address, "destruction of a barrier that a thread waits at");
  sync_destroy(object);
  record(self);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  Thread& self = *g.current;
  SyncObject& object = barrier_at(barrier);
  if (!object.limit) misuse(object.address, "wait at a barrier that was not initialised");
  announce(self, HEDDLE_BARRIER_ARRIVE, object.address, self.site);
  take_turn(self);
  const uint32_t round = object.round;
  ++object.count;
  record(self, round, object.count);
  const bool last = object.count == object.limit;
  if (last) {
    object.count = 0;
    ++object.round;
  }
  note_change(self, object.address);

  announce(self, HEDDLE_BARRIER_LEAVE, object.address, self.site);
  self.pending.value = round;
  self.object = &object;
  take_turn_when(self, round_is_over);
  record(self, round, 0, last ? HEDDLE_FLAG_SERIAL : 0);
  note_progress(self);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
