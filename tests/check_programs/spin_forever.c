// SPDX-License-Identifier: Apache-2.0
//
// A pure wait for something that nobody does: once the other thread has ended
// nothing can change any more.
//
// heddle-check: all=violated finding=livelock executions=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, other;

static void *await(void *unused) {
  while (!atomic_load(&flag)) {
  }
  return unused;
}

static void *set_the_other(void *unused) {
  atomic_store(&other, 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, await, NULL);
  pthread_create(&two, NULL, set_the_other, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
