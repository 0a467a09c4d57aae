// SPDX-License-Identifier: Apache-2.0
//
// Two threads announce that they come and then look for the other one: the heart
// of Dekker's and Peterson's algorithms. Whoever looks last sees the other, so
// they never both go in; unless both stores are still on their way to memory
// when both threads look.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int left_comes, right_comes;
static int inside;

static void* left(void* argument) {
  atomic_store_explicit(&left_comes, 1, memory_order_relaxed);
  if (atomic_load_explicit(&right_comes, memory_order_relaxed) == 0) inside |= 1;
  return argument;
}

static void* right(void* argument) {
  atomic_store_explicit(&right_comes, 1, memory_order_relaxed);
  if (atomic_load_explicit(&left_comes, memory_order_relaxed) == 0) inside |= 2;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, left, NULL);
  pthread_create(&second, NULL, right, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(inside != 3);
  return 0;
}
