// SPDX-License-Identifier: Apache-2.0
//
// The flag is up for a moment only. Whoever looks too late waits for ever; the
// order in which the wait sees it is fine.
//
// heddle-check: all=violated finding=livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready, flag;

static void *await(void *unused) {
  atomic_store(&ready, 1);
  while (!atomic_load(&flag)) {
  }
  return unused;
}

static void *raise_and_lower(void *unused) {
  while (!atomic_load(&ready)) {
  }
  atomic_store(&flag, 1);
  atomic_store(&flag, 0);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, await, NULL);
  pthread_create(&two, NULL, raise_and_lower, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
