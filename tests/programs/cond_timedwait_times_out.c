// SPDX-License-Identifier: Apache-2.0
// A timed wait that nobody signals returns ETIMEDOUT with the mutex held, not before its deadline.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cond-wait
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec deadline, now;
  int code;
  assert(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
  deadline.tv_nsec += 3000000;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_sec++;
    deadline.tv_nsec -= 1000000000;
  }
  assert(pthread_mutex_lock(&mutex) == 0);
  do {
    code = pthread_cond_timedwait(&never, &mutex, &deadline);
  } while (code == 0);
  assert(code == ETIMEDOUT);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(clock_gettime(CLOCK_REALTIME, &now) == 0);
  assert(now.tv_sec > deadline.tv_sec || (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
