// SPDX-License-Identifier: Apache-2.0
// Readings of the monotonic clock that are ordered by a lock never go back, whoever reads.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains clock >=6
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec last;

static void* reader(void* argument) {
  for (int i = 0; i < 3; i++) {
    struct timespec now;
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    assert(now.tv_sec > last.tv_sec || (now.tv_sec == last.tv_sec && now.tv_nsec >= last.tv_nsec));
    last = now;
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, reader, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
