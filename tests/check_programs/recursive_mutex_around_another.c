// SPDX-License-Identifier: Apache-2.0
//
// Two threads lock a recursive mutex, another one, and the first again. That inner lock
// never waits, so there is no deadlock, although the locks seem to be taken in two orders.
//
// heddle-check: all=holds classes=2
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t outer = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, inner = PTHREAD_MUTEX_INITIALIZER;
static int changes;

static void *change(void *unused) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  pthread_mutex_lock(&outer);
  ++changes;
  pthread_mutex_unlock(&outer);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, change, NULL);
  pthread_create(&second, NULL, change, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
