// SPDX-License-Identifier: Apache-2.0
// Three threads that join each other in a ring never end.
// heddle: expect deadlock
// heddle: schedules all
// heddle: contains thread-create >=3
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_t ring[3];
static pthread_barrier_t named;

static void* join_next(void* argument) {
  pthread_barrier_wait(&named);
  pthread_join(ring[((intptr_t)argument + 1) % 3], NULL);
  return NULL;
}

int main(void) {
  assert(pthread_barrier_init(&named, NULL, 4) == 0);
  for (intptr_t i = 0; i < 3; i++) assert(pthread_create(&ring[i], NULL, join_next, (void*)i) == 0);
  pthread_barrier_wait(&named);
  pthread_exit(NULL);
}
