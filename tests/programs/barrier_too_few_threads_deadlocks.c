// SPDX-License-Identifier: Apache-2.0
// A barrier for three that only two threads reach never opens.
// heddle: expect deadlock
// heddle: schedules all
// heddle: contains barrier-arrive >=2
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void* worker(void* argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  assert(pthread_barrier_init(&barrier, NULL, 3) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
