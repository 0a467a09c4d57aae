// SPDX-License-Identifier: Apache-2.0
//
// A block of 24 bytes is released and comes back as one of 20: what was inside of it before is
// outside of it now.
//
// heddle-check: options='--heap=reuse' all=violated finding=out-of-bounds reduce=learn,dpor
// heddle-check: options='--heap=reuse' all=undecided reason=not-modelled reduce=mcr
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *block;

static void *exchange(void *unused) {
  pthread_mutex_lock(&mutex);
  free(block);
  block = malloc(20);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *use(void *unused) {
  pthread_mutex_lock(&mutex);
  block[22] = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t exchanger, user;
  block = malloc(24);
  pthread_create(&user, NULL, use, NULL);
  pthread_create(&exchanger, NULL, exchange, NULL);
  pthread_join(user, NULL);
  pthread_join(exchanger, NULL);
  return 0;
}
