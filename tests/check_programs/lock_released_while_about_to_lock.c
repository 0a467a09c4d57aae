// SPDX-License-Identifier: Apache-2.0
//
// A block with a mutex is released when another thread is about to lock it: it has come to
// the call, and nothing lies between its last store and the lock.
//
// heddle-check: all=violated finding=use-after-free reduce=learn,dpor
// heddle-check: all=undecided reason=not-modelled reduce=mcr
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int is_ready;

static void *use(void *mutex) {
  atomic_store(&is_ready, 1);
  pthread_mutex_lock(mutex);
  return NULL;
}

static void *release(void *mutex) {
  if (atomic_load(&is_ready)) free(mutex);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_mutex_t *mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, NULL);
  pthread_create(&first, NULL, use, mutex);
  pthread_create(&second, NULL, release, mutex);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
