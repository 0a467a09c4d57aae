// SPDX-License-Identifier: Apache-2.0
// Waits against the monotonic clock, by attribute and by clockwait, time out on that clock.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t monotonic, plain = PTHREAD_COND_INITIALIZER;

static struct timespec soon(void) {
  struct timespec t;
  assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
  t.tv_nsec += 1000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000;
  }
  return t;
}

int main(void) {
  pthread_condattr_t attributes;
  struct timespec deadline;
  int code;
  assert(pthread_condattr_init(&attributes) == 0);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  assert(pthread_cond_init(&monotonic, &attributes) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  deadline = soon();
  while ((code = pthread_cond_timedwait(&monotonic, &mutex, &deadline)) == 0) {
  }
  assert(code == ETIMEDOUT);
  deadline = soon();
  while ((code = pthread_cond_clockwait(&plain, &mutex, CLOCK_MONOTONIC, &deadline)) == 0) {
  }
  assert(code == ETIMEDOUT);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_cond_destroy(&monotonic) == 0);
  return 0;
}
