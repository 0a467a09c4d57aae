// SPDX-License-Identifier: Apache-2.0
//
// C11 threads, in terms of POSIX functions: the models of a controlled run, the
// wrappers of a free one. glibc lays out their types like those of POSIX.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

#include "export.h"

namespace {

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int translated(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

}  // namespace

// int (*)(void*) and void* (*)(void*) are called alike here; the result is an int.
HEDDLE_EXPORT int thrd_create(thrd_t* thread, thrd_start_t entry, void* argument) {
  return translated(
      pthread_create(thread, nullptr, reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(entry)), argument));
}
HEDDLE_EXPORT int thrd_detach(thrd_t thread) { return translated(pthread_detach(thread)); }
HEDDLE_EXPORT void thrd_exit(int result) { pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result))); }
HEDDLE_EXPORT thrd_t thrd_current() { return pthread_self(); }
HEDDLE_EXPORT void thrd_yield() { sched_yield(); }
HEDDLE_EXPORT int thrd_sleep(const struct timespec* duration, struct timespec* left) {
  return nanosleep(duration, left) == 0 ? 0 : -2;
}

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) {
  const bool is_recursive = type == mtx_recursive || type == (mtx_recursive | mtx_timed);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, is_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return translated(pthread_mutex_init(posix(mutex), &attributes));
}
HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(posix(mutex)); }
HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) { return translated(pthread_mutex_lock(posix(mutex))); }
HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) { return translated(pthread_mutex_trylock(posix(mutex))); }
HEDDLE_EXPORT int mtx_timedlock(mtx_t* mutex, const struct timespec* deadline) {
  return translated(pthread_mutex_timedlock(posix(mutex), deadline));
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) { return translated(pthread_mutex_unlock(posix(mutex))); }

HEDDLE_EXPORT int cnd_init(cnd_t* condition) { return translated(pthread_cond_init(posix(condition), nullptr)); }
HEDDLE_EXPORT void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(posix(condition)); }
HEDDLE_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return translated(pthread_cond_wait(posix(condition), posix(mutex)));
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const struct timespec* deadline) {
  return translated(pthread_cond_timedwait(posix(condition), posix(mutex), deadline));
}
HEDDLE_EXPORT int cnd_signal(cnd_t* condition) { return translated(pthread_cond_signal(posix(condition))); }
HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) { return translated(pthread_cond_broadcast(posix(condition))); }

HEDDLE_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return translated(pthread_key_create(key, destructor));
}
HEDDLE_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }
HEDDLE_EXPORT void* tss_get(tss_t key) { return pthread_getspecific(key); }
HEDDLE_EXPORT int tss_set(tss_t key, void* value) { return translated(pthread_setspecific(key, value)); }

HEDDLE_EXPORT void call_once(once_flag* flag, void (*function)()) {
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
}
