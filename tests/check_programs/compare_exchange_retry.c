// SPDX-License-Identifier: Apache-2.0
//
// Two threads add one by compare-and-swap, and try again when another was
// faster. A failed attempt changes nothing; its retry waits for nothing, for the
// value it expects is new.
//
// heddle-check: all=holds classes=4 executions=12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *add(void *unused) {
  int seen = atomic_load(&counter);
  while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1)) {
  }
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
