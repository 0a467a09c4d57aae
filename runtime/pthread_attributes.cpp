// SPDX-License-Identifier: Apache-2.0
//
// Attributes that a program may ask or set of a thread by its pthread_t: name, stack,
// priority, cores. The C library would take our pthread_t for the address of its
// own data; so every function that gets one is here, in pthread_threads.cpp, or
// in signal_queue.cpp. Where a controlled thread runs, and with what priority, is the
// scheduler's affair: requests are accepted and remembered where they can be asked for.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "access.h"
#include "slots.h"
#include "sync_api.h"

using namespace heddle::rt;

namespace {

// Null: one that was joined before. A pthread_t that never was one is followed as glibc does, which takes it for an
// address.
Thread* named(pthread_t handle) {
  constexpr uint64_t kOffsetOfNumber = 720;  // of what glibc keeps of a thread
  Thread* thread = thread_with_handle(handle);
  if (!thread)
    perform_load<uint32_t>(*g.current, reinterpret_cast<const void*>(handle + kOffsetOfNumber), HEDDLE_ORDER_NOT_ATOMIC,
                           g.current->site, HEDDLE_FLAG_MODEL);
  return thread && !thread->joined ? thread : nullptr;
}
// Functions that ask first whether there is a thread at all.
Thread* named_or_none(pthread_t handle) { return handle ? named(handle) : nullptr; }

template <typename T>
void give(T* result, T value) {
  static_assert(sizeof(T) == sizeof(uint32_t));
  perform_store<uint32_t>(*g.current, result, static_cast<uint32_t>(value), HEDDLE_ORDER_NOT_ATOMIC, g.current->site,
                          HEDDLE_FLAG_MODEL);
}

}  // namespace

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

HEDDLE_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) {
  const Thread* thread = named(handle);
  if (!thread) return ESRCH;
  settle(*g.current);
  pthread_attr_t filled;
  pthread_attr_init(&filled);
  const uint64_t size = thread->slot->stack_size;
  pthread_attr_setstack(&filled, thread->stack_top - size, size);
  pthread_attr_setdetachstate(&filled, thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  __heddle_write(attributes, &filled, sizeof filled, g.current->site);
  return 0;
}

HEDDLE_EXPORT int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t* cores) {
  if (!named(handle)) return ESRCH;
  for (size_t i = 0; i < size; ++i)
    if (seen(reinterpret_cast<const char*>(cores) + i)) return 0;
  return EINVAL;  // none at all
}

HEDDLE_EXPORT int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param* parameters) {
  const Thread* thread = named_or_none(handle);
  if (!thread) return ESRCH;
  const int priority = seen(&parameters->sched_priority);
  const int lowest = sched_get_priority_min(policy), highest = sched_get_priority_max(policy);
  return lowest < 0 || priority < lowest || priority > highest ? EINVAL : 0;
}

HEDDLE_EXPORT int pthread_getschedparam(pthread_t handle, int* policy, struct sched_param* parameters) {
  if (!named_or_none(handle)) return ESRCH;
  give(policy, SCHED_OTHER);
  give(&parameters->sched_priority, 0);
  return 0;
}

HEDDLE_EXPORT int pthread_setschedprio(pthread_t handle, int priority) {
  if (!named(handle)) return ESRCH;
  return priority == 0 ? 0 : EINVAL;  // all threads are SCHED_OTHER
}

HEDDLE_EXPORT int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) {
  const Thread* thread = named_or_none(handle);
  if (!thread) return ESRCH;
  if (thread != g.current) unsupported("the CPU clock of another thread (pthread_getcpuclockid)");
  give(clock, static_cast<clockid_t>(CLOCK_THREAD_CPUTIME_ID));
  return 0;
}

HEDDLE_EXPORT int pthread_sigqueue(pthread_t, int, const union sigval) {
  unsupported("signals with a value (pthread_sigqueue)");
}
