// SPDX-License-Identifier: Apache-2.0
//
// A thread releases a block and at once gets it again. An access by another thread
// fails only in between; before and after, the memory is somebody's.
//
// heddle-check: options='--heap=reuse' all=violated finding=use-after-free
// heddle-check: options='--heap=reuse' cflags='-DLOCKED' all=holds without=use-after-free reduce=learn,dpor
// heddle-check: options='--heap=reuse' cflags='-DLOCKED' all=undecided reason=not-modelled reduce=mcr
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void enter(void) {
#ifdef LOCKED
  pthread_mutex_lock(&mutex);
#endif
}

static void leave(void) {
#ifdef LOCKED
  pthread_mutex_unlock(&mutex);
#endif
}

static void *exchange(void *block) {
  enter();
  free(block);
  void *again = malloc(sizeof(int));
  leave();
  return again;
}

static void *look(void *block) {
  enter();
  sum = *(int *)block;
  leave();
  return NULL;
}

int main(void) {
  pthread_t exchanger, looker;
  int *block = malloc(sizeof *block);
  *block = 1;
  pthread_create(&exchanger, NULL, exchange, block);
  pthread_create(&looker, NULL, look, block);
  pthread_join(exchanger, NULL);
  pthread_join(looker, NULL);
  return 0;
}
