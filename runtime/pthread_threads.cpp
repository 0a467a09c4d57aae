// SPDX-License-Identifier: Apache-2.0
//
// pthread_create and what else concerns whole threads.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <threads.h>

#include "access.h"
#include "sync_api.h"

using namespace heddle::rt;

namespace {

void store_result(Thread& self, void** result, const Thread& ended) {
  if (result)
    perform_store<uint64_t>(self, result, reinterpret_cast<uint64_t>(ended.result), HEDDLE_ORDER_NOT_ATOMIC, self.site,
                            HEDDLE_FLAG_MODEL);
}

Thread* named(pthread_t handle) { return thread_with_handle(handle); }

// glibc takes a pthread_t for the address of its own data of that thread.
[[noreturn]] void unknown_thread(pthread_t handle) {
  if (handle < kFirstPage) fail(HEDDLE_FAILURE_NULL, handle, SIGSEGV, "null dereference: no thread has this pthread_t");
  fail(HEDDLE_FAILURE_SIGNAL, handle, SIGSEGV, "SIGSEGV: no thread has this pthread_t");
}

// A join of a detached thread does not wait: it fails.
bool join_can_happen(const Thread& thread) { return awaited_ended(thread) || thread.awaited->detached; }

// Records what a join came to at its turn.
int finish_join(Thread& self, Thread& other, void** result, uint8_t flags) {
  if (other.joined || other.detached) {
    record_misuse(self, other.number, 0, static_cast<uint8_t>(flags | HEDDLE_FLAG_FAILED),
                  other.joined ? "join of a thread that was joined before" : "join of a thread that is detached");
    return other.joined ? ESRCH : EINVAL;
  }
  other.joined = true;
  record(self, other.number, 0, flags);
  note_progress(self);
  store_result(self, result, other);
  return 0;
}

// The thread that an operation of this kind names; one that does not exist ends the calling thread at its turn.
Thread& named_for(Thread& self, uint8_t kind, pthread_t handle) {
  Thread* other = named(handle);
  if (other) return *other;
  announce(self, kind, 0, self.site);
  take_turn(self);
  unknown_thread(handle);
}

// `flags`: HEDDLE_FLAG_TIMED if the join might as well have given up.
int join(pthread_t handle, void** result, uint8_t flags, bool timed, clockid_t clock, const struct timespec* given) {
  Thread& self = operating_thread();
  cancellation_point(self);
  Thread& other = named_for(self, HEDDLE_THREAD_JOIN, handle);
  if (&other == &self) return EDEADLK;
  struct timespec deadline = {};
  timed = timed && given;  // without a deadline it waits as long as it takes
  if (timed) {
    deadline = seen(given);
    if (!is_clock_for_waits(clock) || (!is_valid(deadline) && deadline.tv_sec >= 0)) return EINVAL;
  }
  announce(self, HEDDLE_THREAD_JOIN, 0, self.site);
  self.awaited = &other;
  self.may_be_cancelled = true;
  const Turn turn = take_turn_when(self, join_can_happen, timed);
  if (turn == Turn::kNormal && !join_can_happen(self)) {
    record(self, other.number, 0, HEDDLE_FLAG_CANCELLED);
    cancellation_point(self);
  }
  if (turn == Turn::kTimeout) {
    record(self, other.number, 0, HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_TIMED);
    note_progress(self);
    advance_clock(deadline, clock);
    return ETIMEDOUT;
  }
  return finish_join(self, other, result, flags);
}

// One number for what a thread is given at its birth: threads of one name that are
// given something else are not expected to do the same.
uint64_t birth(void* (*entry)(void*), void* argument) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
  return (reinterpret_cast<uint64_t>(entry) * kOdd ^ reinterpret_cast<uint64_t>(argument)) * kOdd | 1;
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*),
                                 void* argument) {
  if (!modelled()) return EAGAIN;
  Thread& self = *g.current;
  void* stack = nullptr;
  size_t stack_size = 0;
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes) {
    pthread_attr_getstack(attributes, &stack, &stack_size);
    if (reinterpret_cast<uint64_t>(stack) + stack_size == 0) stack = nullptr;  // none was set
    pthread_attr_getstacksize(attributes, &stack_size);
    pthread_attr_getdetachstate(attributes, &detach_state);
  }
  // The child may look at the handle: it is there before the child can run.
  perform_store<uint64_t>(self, handle, handle_of_next_child(self), HEDDLE_ORDER_NOT_ATOMIC, self.site,
                          HEDDLE_FLAG_MODEL);
  announce(self, HEDDLE_THREAD_CREATE, 0, self.site);
  take_turn(self);
  Thread* child = new_thread(&self, entry, argument, {stack, stack_size});
  if (!child) {
    record(self, HEDDLE_NO_THREAD, 0, HEDDLE_FLAG_FAILED);
    return EAGAIN;
  }
  memcpy(child->label, self.label, sizeof child->label);
  child->detached = detach_state == PTHREAD_CREATE_DETACHED;
  record(self, child->number, birth(entry, argument));
  note_progress(self);
  return 0;
}

// A pthread_t of 0 is an error that glibc tells.
HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  if (!handle) return ESRCH;
  return join(handle, result, 0, false, 0, nullptr);
}

// C11: the result is an int.
HEDDLE_EXPORT int thrd_join(thrd_t handle, int* result) {
  const Thread* other = named(handle);
  if (join(handle, nullptr, 0, false, 0, nullptr) != 0) return thrd_error;
  const auto code = static_cast<uint32_t>(reinterpret_cast<uint64_t>(other->result));
  if (result) perform_store<uint32_t>(*g.current, result, code, HEDDLE_ORDER_NOT_ATOMIC, g.current->site);
  return thrd_success;
}

HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const struct timespec* deadline) {
  return join(handle, result, HEDDLE_FLAG_TIMED, true, CLOCK_REALTIME, deadline);
}

HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                       const struct timespec* deadline) {
  return join(handle, result, HEDDLE_FLAG_TIMED, true, clock, deadline);
}

HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) {
  Thread& self = operating_thread();
  Thread& other = named_for(self, HEDDLE_THREAD_JOIN, handle);
  announce(self, HEDDLE_THREAD_JOIN, 0, self.site);
  take_turn(self);
  if (has_ended(other)) return finish_join(self, other, result, HEDDLE_FLAG_TIMED);
  record(self, other.number, 0, HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMED);
  note_read(self, self.site, other.handle, 0);
  return EBUSY;
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) {
  if (!handle) return ESRCH;
  Thread& self = operating_thread();
  Thread& other = named_for(self, HEDDLE_THREAD_DETACH, handle);
  announce(self, HEDDLE_THREAD_DETACH, 0, self.site);
  take_turn(self);
  if (other.joined || other.detached) {
    record_misuse(self, other.number, 0, HEDDLE_FLAG_FAILED,
                  other.joined ? "detach of a thread that was joined before" : "detach of a thread that is detached");
    return other.joined ? ESRCH : EINVAL;
  }
  other.detached = true;
  record(self, other.number);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT void pthread_exit(void* result) { unwind_thread(*g.current, result); }

HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  Thread& self = *g.current;
  Thread& other = named_for(self, HEDDLE_THREAD_CANCEL, handle);
  announce(self, HEDDLE_THREAD_CANCEL, 0, self.site);
  take_turn(self);
  other.cancel_requested = true;
  record(self, other.number);
  note_change(self, other.handle);
  return 0;
}

HEDDLE_EXPORT void pthread_testcancel() {
  Thread& self = *g.current;
  cancellation_point(self);
  sched_yield();  // a loop of nothing else waits for the request
  cancellation_point(self);
}

HEDDLE_EXPORT int pthread_setcancelstate(int state, int* old) {
  if (!modelled()) return 0;
  Thread& self = *g.current;
  const uint32_t before = self.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  if (old) perform_store<uint32_t>(self, old, before, HEDDLE_ORDER_NOT_ATOMIC, self.site, HEDDLE_FLAG_MODEL);
  if (state != PTHREAD_CANCEL_DISABLE && state != PTHREAD_CANCEL_ENABLE) return EINVAL;
  self.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

HEDDLE_EXPORT int pthread_setcanceltype(int type, int* old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (old && modelled())
    perform_store<uint32_t>(*g.current, old, PTHREAD_CANCEL_DEFERRED, HEDDLE_ORDER_NOT_ATOMIC, g.current->site,
                            HEDDLE_FLAG_MODEL);
  if (modelled() && type == PTHREAD_CANCEL_ASYNCHRONOUS) unsupported("asynchronous cancellation");
  return 0;
}

HEDDLE_EXPORT pthread_t pthread_self() { return modelled() ? g.current->handle : 1; }

HEDDLE_EXPORT int pthread_atfork(void (*)(), void (*)(), void (*)()) { return 0; }
