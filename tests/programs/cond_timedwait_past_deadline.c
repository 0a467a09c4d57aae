// SPDX-License-Identifier: Apache-2.0
// A deadline in the past times out at once; a nanosecond field out of range is refused with EINVAL.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec past = {1, 0}, wrong = {1, 1000000000};
  assert(pthread_mutex_lock(&mutex) == 0);
  int code = pthread_cond_timedwait(&never, &mutex, &past);
  assert(code == ETIMEDOUT);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_cond_timedwait(&never, &mutex, &wrong) == EINVAL);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
