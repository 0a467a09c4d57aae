// SPDX-License-Identifier: Apache-2.0
//
// Store buffering: two threads, four accesses.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first, second;

static void* left(void* argument) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first = atomic_load_explicit(&y, memory_order_relaxed);
  return argument;
}

static void* right(void* argument) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second = atomic_load_explicit(&x, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
