// SPDX-License-Identifier: Apache-2.0
// A mutex makes increments of a plain counter add up under every schedule.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains mutex-lock >=12
// heddle: contains mutex-unlock >=12
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* worker(void* argument) {
  for (int i = 0; i < 4; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    int seen = counter;
    counter = seen + 1;
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(counter == 12);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
