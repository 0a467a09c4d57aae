// SPDX-License-Identifier: Apache-2.0
//
// A block is released while a mutex in it is locked. Memory that is used again is
// zero and knows nothing of that mutex.
//
// heddle-check: options='--heap=reuse' all=holds reduce=learn,dpor
// heddle-check: options='--heap=reuse' all=undecided reduce=mcr
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_mutex_t *before = malloc(sizeof *before);
  pthread_mutex_init(before, NULL);
  pthread_mutex_lock(before);
  free(before);
  pthread_mutex_t *mutex = calloc(1, sizeof *mutex);
  assert(mutex == before && pthread_mutex_trylock(mutex) == 0);
  return 0;
}
