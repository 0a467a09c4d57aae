// SPDX-License-Identifier: Apache-2.0
//
// Threads and synchronisation in a free run: the C library's own, with every
// operation numbered globally. An operation that lets others go on (unlock, post,
// create) is numbered before it happens, one that waits (lock, join) after, so
// that the numbers agree with what really came first.
//
// Not numbered yet: C11 threads' own mutexes and conditions, one-time
// initialisation, futexes.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "log.h"

using namespace heddle::free_run;

namespace {

#define REAL(name) \
  static const auto real_##name = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

bool running() { return g_channel != nullptr; }

void log_sync(uint8_t kind, const volatile void* object, uint64_t value = 0, uint8_t flags = 0) {
  Log& log = own_log();
  record_numbered(log, kind, flags, log.site, reinterpret_cast<uint64_t>(object), value);
}

uint8_t failed_or_timed_out(int error) { return error == ETIMEDOUT ? HEDDLE_FLAG_TIMEOUT : error ? HEDDLE_FLAG_FAILED : 0; }

struct Start {
  void* (*entry)(void*);
  void* argument;
  uint32_t number;
  uint32_t parent;
  uint32_t taken;  // the child has copied this
};

constexpr uint32_t kMostHandles = HEDDLE_FREE_MOST_THREADS;
pthread_t g_handles[kMostHandles];  // by number, to name joined threads

void end_log(void*) {
  if (!has_log()) return;
  Log& log = *__heddle_free_log;
  record(log, HEDDLE_THREAD_END, 0, 0, 0, 0, 0, 0, 0, next_sequence());
  end_chunk(log);
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
  const Start start = *shared;
  __atomic_store_n(&shared->taken, 1u, __ATOMIC_RELEASE);
  Log& log = new_log(start.number);
  g_handles[start.number] = pthread_self();
  pthread_setspecific(end_key(), &log);
  record(log, HEDDLE_THREAD_START, 0, 0, 0, 0, 0, start.parent, 0, next_sequence());
  return start.entry(start.argument);
}

uint32_t number_of(pthread_t handle) {
  const uint32_t count = __atomic_load_n(&g_channel->threads, __ATOMIC_ACQUIRE);
  for (uint32_t i = count; i-- > 0;)
    if (i < kMostHandles && g_handles[i] == handle) return i;
  return HEDDLE_NO_THREAD;
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*), void* argument) {
  REAL(pthread_create);
  if (!running()) return real_pthread_create(handle, attributes, entry, argument);
  Log& log = own_log();
  Start start = {entry, argument, register_thread(log.number, log.children++), log.number, 0};
  end_key();
  record(log, HEDDLE_THREAD_CREATE, 0, 0, 0, log.site, 0, start.number, 0, next_sequence());
  const int error = real_pthread_create(handle, attributes, thread_entry, &start);
  if (error) return error;
  g_handles[start.number] = *handle;
  while (!__atomic_load_n(&start.taken, __ATOMIC_ACQUIRE)) sched_yield();
  return 0;
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  REAL(pthread_join);
  const uint32_t number = running() ? number_of(handle) : 0;
  const int error = real_pthread_join(handle, result);
  if (running() && !error) log_sync(HEDDLE_THREAD_JOIN, nullptr, number);
  return error;
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) {
  REAL(pthread_detach);
  if (running()) log_sync(HEDDLE_THREAD_DETACH, nullptr, number_of(handle));
  return real_pthread_detach(handle);
}

// Operations that wait: numbered after. Operations that release: before.
#define HEDDLE_WAITING(name, kind, parameters, arguments, object)                       \
  HEDDLE_EXPORT int name parameters {                                                   \
    REAL(name);                                                                         \
    const int error = real_##name arguments;                                            \
    if (running()) log_sync(kind, object, 0, failed_or_timed_out(error));               \
    return error;                                                                       \
  }
#define HEDDLE_RELEASING(name, kind, parameters, arguments, object) \
  HEDDLE_EXPORT int name parameters {                               \
    REAL(name);                                                     \
    if (running()) log_sync(kind, object);                          \
    return real_##name arguments;                                   \
  }
HEDDLE_WAITING(pthread_mutex_lock, HEDDLE_MUTEX_LOCK, (pthread_mutex_t * m), (m), m)
HEDDLE_WAITING(pthread_mutex_trylock, HEDDLE_MUTEX_TRYLOCK, (pthread_mutex_t * m), (m), m)
HEDDLE_WAITING(pthread_mutex_timedlock, HEDDLE_MUTEX_TIMEDLOCK, (pthread_mutex_t * m, const struct timespec* t), (m, t), m)
HEDDLE_WAITING(pthread_mutex_clocklock, HEDDLE_MUTEX_TIMEDLOCK,
               (pthread_mutex_t * m, clockid_t c, const struct timespec* t), (m, c, t), m)
HEDDLE_RELEASING(pthread_mutex_unlock, HEDDLE_MUTEX_UNLOCK, (pthread_mutex_t * m), (m), m)
HEDDLE_WAITING(pthread_spin_lock, HEDDLE_MUTEX_LOCK, (pthread_spinlock_t * m), (m), m)
HEDDLE_WAITING(pthread_spin_trylock, HEDDLE_MUTEX_TRYLOCK, (pthread_spinlock_t * m), (m), m)
HEDDLE_RELEASING(pthread_spin_unlock, HEDDLE_MUTEX_UNLOCK, (pthread_spinlock_t * m), (m), m)
HEDDLE_WAITING(pthread_rwlock_rdlock, HEDDLE_RWLOCK_READ, (pthread_rwlock_t * m), (m), m)
HEDDLE_WAITING(pthread_rwlock_tryrdlock, HEDDLE_RWLOCK_TRYREAD, (pthread_rwlock_t * m), (m), m)
HEDDLE_WAITING(pthread_rwlock_wrlock, HEDDLE_RWLOCK_WRITE, (pthread_rwlock_t * m), (m), m)
HEDDLE_WAITING(pthread_rwlock_trywrlock, HEDDLE_RWLOCK_TRYWRITE, (pthread_rwlock_t * m), (m), m)
HEDDLE_WAITING(pthread_rwlock_timedrdlock, HEDDLE_RWLOCK_TIMEDREAD, (pthread_rwlock_t * m, const struct timespec* t), (m, t), m)
HEDDLE_WAITING(pthread_rwlock_timedwrlock, HEDDLE_RWLOCK_TIMEDWRITE, (pthread_rwlock_t * m, const struct timespec* t), (m, t), m)
HEDDLE_WAITING(pthread_rwlock_clockrdlock, HEDDLE_RWLOCK_TIMEDREAD,
               (pthread_rwlock_t * m, clockid_t c, const struct timespec* t), (m, c, t), m)
HEDDLE_WAITING(pthread_rwlock_clockwrlock, HEDDLE_RWLOCK_TIMEDWRITE,
               (pthread_rwlock_t * m, clockid_t c, const struct timespec* t), (m, c, t), m)
HEDDLE_RELEASING(pthread_rwlock_unlock, HEDDLE_RWLOCK_UNLOCK, (pthread_rwlock_t * m), (m), m)
HEDDLE_RELEASING(pthread_cond_signal, HEDDLE_COND_SIGNAL, (pthread_cond_t * c), (c), c)
HEDDLE_RELEASING(pthread_cond_broadcast, HEDDLE_COND_BROADCAST, (pthread_cond_t * c), (c), c)
HEDDLE_WAITING(sem_wait, HEDDLE_SEM_WAIT, (sem_t * s), (s), s)
HEDDLE_WAITING(sem_trywait, HEDDLE_SEM_TRYWAIT, (sem_t * s), (s), s)
HEDDLE_WAITING(sem_timedwait, HEDDLE_SEM_TIMEDWAIT, (sem_t * s, const struct timespec* t), (s, t), s)
HEDDLE_WAITING(sem_clockwait, HEDDLE_SEM_TIMEDWAIT, (sem_t * s, clockid_t c, const struct timespec* t), (s, c, t), s)
HEDDLE_RELEASING(sem_post, HEDDLE_SEM_POST, (sem_t * s), (s), s)

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  REAL(pthread_cond_wait);
  if (running()) log_sync(HEDDLE_COND_WAIT, condition, reinterpret_cast<uint64_t>(mutex));
  const int error = real_pthread_cond_wait(condition, mutex);
  if (running()) log_sync(HEDDLE_COND_RESUME, condition, reinterpret_cast<uint64_t>(mutex));
  return error;
}

#define HEDDLE_TIMED_CONDITION(name, parameters, arguments)                                                      \
  HEDDLE_EXPORT int name parameters {                                                                           \
    REAL(name);                                                                                                 \
    if (running()) log_sync(HEDDLE_COND_WAIT, condition, reinterpret_cast<uint64_t>(mutex), HEDDLE_FLAG_TIMED); \
    const int error = real_##name arguments;                                                                    \
    if (running())                                                                                              \
      log_sync(HEDDLE_COND_RESUME, condition, reinterpret_cast<uint64_t>(mutex), failed_or_timed_out(error));   \
    return error;                                                                                               \
  }
HEDDLE_TIMED_CONDITION(pthread_cond_timedwait,
                       (pthread_cond_t * condition, pthread_mutex_t* mutex, const struct timespec* deadline),
                       (condition, mutex, deadline))
HEDDLE_TIMED_CONDITION(pthread_cond_clockwait,
                       (pthread_cond_t * condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* deadline),
                       (condition, mutex, clock, deadline))

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  REAL(pthread_barrier_wait);
  if (running()) log_sync(HEDDLE_BARRIER_ARRIVE, barrier);
  const int result = real_pthread_barrier_wait(barrier);
  if (running())
    log_sync(HEDDLE_BARRIER_LEAVE, barrier, 0, result == PTHREAD_BARRIER_SERIAL_THREAD ? HEDDLE_FLAG_SERIAL : 0);
  return result;
}
