// SPDX-License-Identifier: Apache-2.0
//
// One thread looks into a block while another frees it. The order of the two
// makes no difference to any value, so it has to be found in the causal model,
// not by running. With the lock of the last user, or a join, nothing is wrong.
//
// heddle-check: all=violated finding=use-after-free
// heddle-check: cflags='-DJOIN_FIRST' all=holds without=use-after-free
// heddle-check: cflags='-DCOUNTED' all=holds without=use-after-free
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;
static int *block;

static void leave(void) {
#ifdef COUNTED
  pthread_mutex_lock(&mutex);
  const int left = --users;
  pthread_mutex_unlock(&mutex);
  if (left == 0) free(block);
#endif
}

static void *look(void *unused) {
  *block = 2;
  leave();
  return unused;
}

int main(void) {
  pthread_t thread;
  block = malloc(sizeof *block);
  *block = 1;
  pthread_create(&thread, NULL, look, NULL);
#ifdef JOIN_FIRST
  pthread_join(thread, NULL);
  free(block);
#elif defined(COUNTED)
  leave();
  pthread_join(thread, NULL);
#else
  free(block);
  pthread_join(thread, NULL);
#endif
  (void)mutex, (void)users;
  return 0;
}
