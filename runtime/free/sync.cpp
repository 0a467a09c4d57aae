// SPDX-License-Identifier: Apache-2.0
//
// Locks, conditions, barriers and semaphores in a free run.
#include "sync.h"

#include <pthread.h>
#include <semaphore.h>

using namespace heddle::free_run;

// Operations that wait: numbered after. Operations that release: before.
#define HEDDLE_WAITING(name, kind, parameters, arguments, object)         \
  HEDDLE_EXPORT int name parameters {                                     \
    HEDDLE_REAL(name);                                                    \
    const int error = real_##name arguments;                              \
    if (running()) log_sync(kind, object, 0, failed_or_timed_out(error)); \
    return error;                                                         \
  }
#define HEDDLE_RELEASING(name, kind, parameters, arguments, object) \
  HEDDLE_EXPORT int name parameters {                               \
    HEDDLE_REAL(name);                                              \
    if (running()) log_sync(kind, object);                          \
    return real_##name arguments;                                   \
  }
HEDDLE_WAITING(pthread_mutex_lock, HEDDLE_MUTEX_LOCK, (pthread_mutex_t * m), (m), m)
HEDDLE_WAITING(pthread_mutex_trylock, HEDDLE_MUTEX_TRYLOCK, (pthread_mutex_t * m), (m), m)
HEDDLE_WAITING(pthread_mutex_timedlock, HEDDLE_MUTEX_TIMEDLOCK, (pthread_mutex_t * m, const struct timespec* t), (m, t),
               m)
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
HEDDLE_WAITING(pthread_rwlock_timedrdlock, HEDDLE_RWLOCK_TIMEDREAD, (pthread_rwlock_t * m, const struct timespec* t),
               (m, t), m)
HEDDLE_WAITING(pthread_rwlock_timedwrlock, HEDDLE_RWLOCK_TIMEDWRITE, (pthread_rwlock_t * m, const struct timespec* t),
               (m, t), m)
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
  HEDDLE_REAL(pthread_cond_wait);
  if (running()) log_sync(HEDDLE_COND_WAIT, condition, reinterpret_cast<uint64_t>(mutex));
  const int error = real_pthread_cond_wait(condition, mutex);
  if (running()) log_sync(HEDDLE_COND_RESUME, condition, reinterpret_cast<uint64_t>(mutex));
  return error;
}

#define HEDDLE_TIMED_CONDITION(name, parameters, arguments)                                                     \
  HEDDLE_EXPORT int name parameters {                                                                           \
    HEDDLE_REAL(name);                                                                                          \
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
                       (pthread_cond_t * condition, pthread_mutex_t* mutex, clockid_t clock,
                        const struct timespec* deadline),
                       (condition, mutex, clock, deadline))

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  HEDDLE_REAL(pthread_barrier_wait);
  if (running()) log_sync(HEDDLE_BARRIER_ARRIVE, barrier);
  const int result = real_pthread_barrier_wait(barrier);
  if (running())
    log_sync(HEDDLE_BARRIER_LEAVE, barrier, 0, result == PTHREAD_BARRIER_SERIAL_THREAD ? HEDDLE_FLAG_SERIAL : 0);
  return result;
}
