// SPDX-License-Identifier: Apache-2.0
//
// A test-and-set lock. The exchange in the loop stores, but stores what is
// already there: waiting for a change all the same. -DFORGET leaves the lock
// out.
//
// heddle-check: all=holds executions=12
// heddle-check: cflags='-DFORGET' all=violated finding=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int taken, counter;

static void *add(void *unused) {
#ifndef FORGET
  while (atomic_exchange(&taken, 1)) {
  }
#endif
  const int seen = atomic_load_explicit(&counter, memory_order_relaxed);
  atomic_store_explicit(&counter, seen + 1, memory_order_relaxed);
#ifndef FORGET
  atomic_store_explicit(&taken, 0, memory_order_release);
#endif
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, add, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(atomic_load(&counter) == 2);
  return 0;
}
