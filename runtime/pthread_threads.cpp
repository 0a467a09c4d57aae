// SPDX-License-Identifier: Apache-2.0
//
// pthread_create and what else concerns whole threads.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
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

// Only one thread may join another, and nobody may detach it meanwhile.
void check_that_nobody_else(const Thread& self, const Thread& other) {
  const auto joins = [&](const Thread& waiting) {
    return waiting.pending.kind == HEDDLE_THREAD_JOIN && waiting.awaited == &other && !waiting.exiting;
  };
  for (const Thread* waiting = g.first; waiting; waiting = waiting->next)
    if (waiting != &self && joins(*waiting))
      misuse(other.handle, "a thread that is to be joined by one thread is joined or detached by another");
  if (other.detached_by && other.detached_by != &self)
    misuse(other.handle, "join or detach of a thread that another thread has detached");
}

// `flags`: HEDDLE_FLAG_TIMED if the join might as well have given up.
int join(pthread_t handle, void** result, uint8_t flags, bool timed, clockid_t clock, const struct timespec* given) {
  Thread& self = *g.current;
  cancellation_point(self);
  Thread* other = named(handle);
  if (!other || other->joined) misuse(handle, "join of a thread that does not exist or was joined before");
  if (other == &self) return EDEADLK;
  check_that_nobody_else(self, *other);
  if (other->detached) return EINVAL;
  struct timespec deadline;
  if (timed && !read_deadline(given, deadline)) return EINVAL;
  announce(self, HEDDLE_THREAD_JOIN, 0, self.site);
  self.awaited = other;
  self.may_be_cancelled = true;
  const Turn turn = take_turn_when(self, awaited_ended, timed);
  if (turn == Turn::kNormal && !awaited_ended(self)) {
    record(self, other->number, 0, HEDDLE_FLAG_CANCELLED);
    cancellation_point(self);
  }
  if (turn == Turn::kTimeout) {
    record(self, other->number, 0, HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_TIMED);
    note_progress(self);
    advance_clock(deadline, clock);
    return ETIMEDOUT;
  }
  other->joined = true;
  record(self, other->number, 0, flags);
  note_progress(self);
  store_result(self, result, *other);
  return 0;
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
  child->detached = detach_state == PTHREAD_CREATE_DETACHED;
  record(self, child->number, birth(entry, argument));
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) { return join(handle, result, 0, false, 0, nullptr); }

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
  Thread* other = named(handle);
  if (!other || other->joined) misuse(handle, "join of a thread that does not exist or was joined before");
  if (has_ended(*other)) return join(handle, result, HEDDLE_FLAG_TIMED, false, 0, nullptr);
  Thread& self = *g.current;
  announce(self, HEDDLE_THREAD_JOIN, 0, self.site);
  take_turn(self);
  if (has_ended(*other)) {
    other->joined = true;
    record(self, other->number, 0, HEDDLE_FLAG_TIMED);
    store_result(self, result, *other);
    return 0;
  }
  record(self, other->number, 0, HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMED);
  note_read(self, self.site, other->handle, 0);
  return EBUSY;
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) {
  Thread& self = *g.current;
  Thread* other = named(handle);
  if (!other || other->joined) misuse(handle, "detach of a thread that does not exist or was joined before");
  check_that_nobody_else(self, *other);
  if (other->detached) return EINVAL;
  announce(self, HEDDLE_THREAD_DETACH, 0, self.site);
  take_turn(self);
  other->detached = true;
  other->detached_by = &self;
  record(self, other->number);
  note_progress(self);
  return 0;
}

HEDDLE_EXPORT void pthread_exit(void* result) { unwind_thread(*g.current, result); }

HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  Thread& self = *g.current;
  Thread* other = named(handle);
  if (!other) return ESRCH;
  announce(self, HEDDLE_THREAD_CANCEL, 0, self.site);
  take_turn(self);
  other->cancel_requested = true;
  record(self, other->number);
  note_change(self, other->handle);
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
  if (old && modelled())
    perform_store<uint32_t>(*g.current, old, PTHREAD_CANCEL_DEFERRED, HEDDLE_ORDER_NOT_ATOMIC, g.current->site,
                            HEDDLE_FLAG_MODEL);
  if (modelled() && type == PTHREAD_CANCEL_ASYNCHRONOUS) unsupported("asynchronous cancellation");
  return 0;
}

HEDDLE_EXPORT pthread_t pthread_self() { return modelled() ? g.current->handle : 1; }

HEDDLE_EXPORT int pthread_setname_np(pthread_t handle, const char* name) {
  Thread* thread = named(handle);
  if (!thread) return ESRCH;
  settle(*g.current);
  if (strlen(name) >= sizeof thread->label) return ERANGE;
  strcpy(thread->label, name);
  return 0;
}

HEDDLE_EXPORT int pthread_getname_np(pthread_t handle, char* name, size_t size) {
  const Thread* thread = named(handle);
  if (!thread) return ESRCH;
  const size_t length = strlen(thread->label) + 1;
  if (size < length) return ERANGE;
  __heddle_write(name, thread->label, length, g.current->site);
  return 0;
}

// Where a controlled thread runs, and with what priority, is the scheduler's affair.
HEDDLE_EXPORT int pthread_setaffinity_np(pthread_t, size_t, const cpu_set_t*) { return 0; }
HEDDLE_EXPORT int pthread_setschedparam(pthread_t, int, const struct sched_param*) { return 0; }

HEDDLE_EXPORT int pthread_atfork(void (*)(), void (*)(), void (*)()) { return 0; }
