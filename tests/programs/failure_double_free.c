// SPDX-License-Identifier: Apache-2.0
// Two threads free the same block, one after the other.
// heddle: expect double-free
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void* release(void* block) {
  free(block);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  void* block = malloc(40);
  assert(block != NULL);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, release, block) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
