// SPDX-License-Identifier: Apache-2.0
// Blocks allocated by one thread are filled and freed by another; blocks of living owners never overlap.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains alloc >=8
// heddle: contains free >=8
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char* blocks[2][4];
static pthread_barrier_t filled;

static void* worker(void* argument) {
  int me = *(int*)argument;
  for (int i = 0; i < 4; i++) {
    blocks[me][i] = malloc(24);
    memset(blocks[me][i], 'a' + me * 4 + i, 24);
  }
  pthread_barrier_wait(&filled);
  for (int i = 0; i < 4; i++) {
    char* other = blocks[1 - me][i];
    for (int k = 0; k < 24; k++) assert(other[k] == 'a' + (1 - me) * 4 + i);
    free(other);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int ids[2] = {0, 1};
  assert(pthread_barrier_init(&filled, NULL, 2) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &ids[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
