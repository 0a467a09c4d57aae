// SPDX-License-Identifier: Apache-2.0
// A waiter sleeps until the predicate holds, with the mutex released meanwhile.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cond-signal
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void* producer(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  data = 5;
  ready = 1;
  assert(pthread_cond_signal(&changed) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, producer, NULL) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  while (!ready) assert(pthread_cond_wait(&changed, &mutex) == 0);
  assert(data == 5);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_cond_destroy(&changed) == 0);
  return 0;
}
