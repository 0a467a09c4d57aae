// SPDX-License-Identifier: Apache-2.0
//
// Whether an allocation returns an address that the program still compares with
// depends on whether another thread has released the block before: no value that is
// read says so, only the allocator does.
//
// heddle-check: all=holds
// heddle-check: options='--heap=reuse' all=violated finding=assertion reduce=learn,dpor
// heddle-check: options='--heap=reuse' all=undecided reason=not-modelled reduce=mcr
// heddle-check: options='--heap=reuse' cflags='-DAFTER_JOIN' all=holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int *old;

static void *allocate(void *unused) {
  int *fresh = malloc(16);
  assert(fresh != old);
  return unused;
}

static void *release(void *unused) {
  free(old);
  return unused;
}

int main(void) {
  pthread_t allocator, releaser;
  old = malloc(16);
  pthread_create(&allocator, NULL, allocate, NULL);
#ifdef AFTER_JOIN
  pthread_join(allocator, NULL);
  pthread_create(&releaser, NULL, release, NULL);
#else
  pthread_create(&releaser, NULL, release, NULL);
  pthread_join(allocator, NULL);
#endif
  pthread_join(releaser, NULL);
  return 0;
}
