// SPDX-License-Identifier: Apache-2.0
//
// Threads in a free run.
#include <pthread.h>
#include <signal.h>
#include <threads.h>

#include "abi/hooks.h"
#include "sync.h"

using namespace heddle::free_run;

namespace {

struct Start {
  void* (*entry)(void*);
  void* argument;
  uint32_t number;
  uint32_t parent;
  uint32_t recorded;  // the parent has written down that it created the child
  uint32_t taken;     // the child has copied this
};

constexpr uint32_t kMostHandles = HEDDLE_FREE_MOST_THREADS;
pthread_t g_handles[kMostHandles];  // by number, to name joined threads

void end_log(void*) {
  if (!has_log()) return;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);  // no handler may write after the end
  end_thread(thread_log());
}

pthread_key_t end_key() {
  static pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, end_log);
    return made;
  }();
  return key;
}

void* thread_entry(void* argument) {
  Start* shared = static_cast<Start*>(argument);
  while (!__atomic_load_n(&shared->recorded, __ATOMIC_ACQUIRE)) sched_yield();
  const Start start = *shared;
  __atomic_store_n(&shared->taken, 1u, __ATOMIC_RELEASE);
  Log& log = new_log(start.number);
  g_handles[start.number] = pthread_self();
  pthread_setspecific(end_key(), &log);
  record(log, HEDDLE_THREAD_START, 0, 0, 0, 0, 0, start.parent, 0, next_sequence());
  return start.entry(start.argument);
}

// A store of the C library into memory of the program.
void record_result(Log& log, const void* address, uint64_t value) {
  record(log, HEDDLE_STORE, 8, 0, HEDDLE_FLAG_MODEL, log.site, reinterpret_cast<uint64_t>(address), value, 0);
}

uint32_t number_of(pthread_t handle) {
  const uint32_t count = __atomic_load_n(&g_channel->threads, __ATOMIC_ACQUIRE);
  for (uint32_t i = count; i-- > 0;)
    if (i < kMostHandles && g_handles[i] == handle) return i;
  return HEDDLE_NO_THREAD;
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*),
                                 void* argument) {
  HEDDLE_REAL(pthread_create);
  if (!running()) return real_pthread_create(handle, attributes, entry, argument);
  Log& log = own_log();
  Start start = {entry, argument, register_thread(log.number, log.children++), log.number, 0, 0};
  end_key();
  // The C library stores the child's identity before the child can run.
  const uint64_t sequence = next_sequence();
  const int error = real_pthread_create(handle, attributes, thread_entry, &start);
  if (error) {
    record(log, HEDDLE_THREAD_CREATE, 0, 0, HEDDLE_FLAG_FAILED, log.site, 0, start.number, 0, sequence);
    return error;
  }
  g_handles[start.number] = *handle;
  record_result(log, handle, *handle);
  record(log, HEDDLE_THREAD_CREATE, 0, 0, 0, log.site, 0, start.number, 0, sequence);
  __atomic_store_n(&start.recorded, 1u, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&start.taken, __ATOMIC_ACQUIRE)) sched_yield();
  return 0;
}

#define HEDDLE_JOINING(name, parameters, arguments)                                                           \
  HEDDLE_EXPORT int name parameters {                                                                         \
    HEDDLE_REAL(name);                                                                                        \
    const uint32_t number = running() ? number_of(handle) : 0;                                                \
    const int error = real_##name arguments;                                                                  \
    if (running() && number != HEDDLE_NO_THREAD)                                                              \
      log_sync(HEDDLE_THREAD_JOIN, nullptr, number, failed_or_timed_out(error));                              \
    if (running() && !error && result) record_result(own_log(), result, reinterpret_cast<uint64_t>(*result)); \
    return error;                                                                                             \
  }
HEDDLE_JOINING(pthread_join, (pthread_t handle, void** result), (handle, result))
HEDDLE_JOINING(pthread_tryjoin_np, (pthread_t handle, void** result), (handle, result))
HEDDLE_JOINING(pthread_timedjoin_np, (pthread_t handle, void** result, const struct timespec* deadline),
               (handle, result, deadline))
HEDDLE_JOINING(pthread_clockjoin_np,
               (pthread_t handle, void** result, clockid_t clock, const struct timespec* deadline),
               (handle, result, clock, deadline))

// C11: the result is an int.
HEDDLE_EXPORT int thrd_join(thrd_t thread, int* result) {
  HEDDLE_REAL(pthread_join);
  void* value = nullptr;
  const uint32_t number = running() ? number_of(thread) : 0;
  const int error = real_pthread_join(thread, &value);
  if (running() && number != HEDDLE_NO_THREAD)
    log_sync(HEDDLE_THREAD_JOIN, nullptr, number, failed_or_timed_out(error));
  if (error) return thrd_error;
  const auto code = static_cast<uint32_t>(reinterpret_cast<uint64_t>(value));
  if (result) __heddle_store4(result, code, HEDDLE_ORDER_NOT_ATOMIC, own_log().site);
  return thrd_success;
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) {
  HEDDLE_REAL(pthread_detach);
  if (running()) log_sync(HEDDLE_THREAD_DETACH, nullptr, number_of(handle));
  return real_pthread_detach(handle);
}
