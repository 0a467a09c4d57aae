// SPDX-License-Identifier: Apache-2.0
// Two threads increment a plain counter: run one after the other nothing is lost.
// heddle: expect exit 0
// heddle: schedules default
// heddle: contains load >=2
// heddle: contains store >=2
#include <assert.h>
#include <pthread.h>

static int counter;

static void* worker(void* argument) {
  counter++;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(counter == 2);
  return 0;
}
