// SPDX-License-Identifier: Apache-2.0
// timedlock and clocklock give up at their deadline; a free mutex is taken even past the deadline.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
// heddle: contains mutex-timedlock >=2
// heddle: contains mutex-trylock >=2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct timespec soon(clockid_t clock) {
  struct timespec t;
  assert(clock_gettime(clock, &t) == 0);
  t.tv_nsec += 2000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000;
  }
  return t;
}

static void* worker(void* argument) {
  struct timespec real = soon(CLOCK_REALTIME), mono = soon(CLOCK_MONOTONIC), past = {1, 0};
  assert(pthread_mutex_timedlock(&mutex, &real) == ETIMEDOUT);
  assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &mono) == ETIMEDOUT);
  assert(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
  return argument;
}

int main(void) {
  pthread_t thread;
  struct timespec past = {1, 0};
  assert(pthread_mutex_timedlock(&mutex, &past) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
