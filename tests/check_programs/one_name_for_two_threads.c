// SPDX-License-Identifier: Apache-2.0
//
// Whether the second thread that main creates does one thing or another depends on
// what main has read: what a thread does follows from what it was given, not from
// its name alone.
//
// heddle-check: all=holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int x, y;

static void *set(void *unused) {
  atomic_store(&x, 1);
  return unused;
}

static void *add(void *amount) {
  atomic_fetch_add(&y, (int)(intptr_t)amount);
  return NULL;
}

static void *look(void *unused) {
  assert(atomic_load(&y) != 1);
  return unused;
}

int main(void) {
  pthread_t setter, adder, other;
  pthread_create(&setter, NULL, set, NULL);
  const int seen = atomic_load(&x);
  if (seen) {
    pthread_create(&adder, NULL, add, (void *)2);
    pthread_join(adder, NULL);
  }
  pthread_create(&other, NULL, seen ? look : add, (void *)3);
  pthread_join(setter, NULL);
  pthread_join(other, NULL);
  assert(atomic_load(&y) == (seen ? 2 : 3));
  return 0;
}
