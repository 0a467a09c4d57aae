// SPDX-License-Identifier: Apache-2.0
//
// The bound cuts off most of the loop, but the bug comes before: violated, for a
// finding beats what was cut off.
//
// heddle-check: options='--bound-loops=2' all=violated finding=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *add(void *unused) {
  for (int i = 0; i < 1000; i++) atomic_store(&counter, i + 1);
  return unused;
}

static void *look(void *unused) {
  assert(atomic_load(&counter) == 0);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, look, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
