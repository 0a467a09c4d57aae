// SPDX-License-Identifier: Apache-2.0
// Timed read and write locks give up at their deadline and succeed at once on a free lock.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
// heddle: contains rwlock-timedread >=1
// heddle: contains rwlock-tryread >=1
// heddle: contains rwlock-timedwrite >=2
// heddle: contains rwlock-trywrite >=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct timespec soon(clockid_t clock) {
  struct timespec t;
  assert(clock_gettime(clock, &t) == 0);
  t.tv_nsec += 1000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000;
  }
  return t;
}

static void* worker(void* argument) {
  struct timespec t = soon(CLOCK_REALTIME);
  assert(pthread_rwlock_timedrdlock(&lock, &t) == ETIMEDOUT);
  t = soon(CLOCK_REALTIME);
  assert(pthread_rwlock_timedwrlock(&lock, &t) == ETIMEDOUT);
  t = soon(CLOCK_MONOTONIC);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &t) == ETIMEDOUT);
  return argument;
}

int main(void) {
  pthread_t thread;
  struct timespec past = {1, 0};
  assert(pthread_rwlock_timedrdlock(&lock, &past) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return 0;
}
