// SPDX-License-Identifier: Apache-2.0
//
// Exchanges that write what was there before: whether the second of two threads
// can read the same value as the first depends on what the first one writes,
// which is not known when only another value read is supposed. Number of classes
// by other reductions and by brute force.
//
// heddle-check: all=holds classes=74
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *set(void *unused) {
  atomic_exchange(&x, 1);
  return unused;
}

static void *reset(void *unused) {
  atomic_exchange(&x, 0);
  return unused;
}

static void *count(void *unused) {
  int before = atomic_fetch_add(&x, 1);
  atomic_exchange(&x, before + 1);
  return unused;
}

static void *keep(void *unused) {
  atomic_load(&x);
  int before = atomic_fetch_add(&x, 0);
  atomic_exchange(&x, before);
  return unused;
}

int main(void) {
  void *(*const bodies[])(void *) = {set, reset, count, keep};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
