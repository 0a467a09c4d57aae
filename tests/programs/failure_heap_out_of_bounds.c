// SPDX-License-Identifier: Apache-2.0
// A write one element past the end of a heap block.
// heddle: expect out-of-bounds
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int* cells;

static void* worker(void* argument) {
  for (int i = 0; i <= 10; i++) cells[i] = i;
  return argument;
}

int main(void) {
  pthread_t thread;
  cells = malloc(10 * sizeof *cells);
  assert(cells != NULL);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  free(cells);
  return 0;
}
