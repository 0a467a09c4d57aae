// SPDX-License-Identifier: Apache-2.0
// Signal and deadline compete: whatever comes back, the mutex is held and the predicate tells the truth.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* producer(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  ready = 1;
  assert(pthread_cond_signal(&changed) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  struct timespec deadline;
  int code = 0;
  assert(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
  deadline.tv_nsec = (deadline.tv_nsec + 100000) % 1000000000;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_create(&thread, NULL, producer, NULL) == 0);
  while (!ready && code == 0) code = pthread_cond_timedwait(&changed, &mutex, &deadline);
  assert(code == 0 || code == ETIMEDOUT);
  assert(ready || code == ETIMEDOUT);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(ready == 1);
  return 0;
}
