// SPDX-License-Identifier: Apache-2.0
//
// One thread destroys a mutex that another one may be about to use, or holds.
//
// heddle-check: all=violated finding=misuse reduce=learn,dpor
// heddle-check: all=undecided reason=not-modelled reduce=mcr
// heddle-check: cflags='-DJOIN_FIRST' all=holds
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int noise;

static void *use(void *unused) {
  noise = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *destroy(void *unused) {
  pthread_mutex_destroy(&mutex);
  return unused;
}

int main(void) {
  pthread_t user, destroyer;
  pthread_create(&user, NULL, use, NULL);
#ifdef JOIN_FIRST
  pthread_join(user, NULL);
#endif
  pthread_create(&destroyer, NULL, destroy, NULL);
#ifndef JOIN_FIRST
  pthread_join(user, NULL);
#endif
  pthread_join(destroyer, NULL);
  return 0;
}
