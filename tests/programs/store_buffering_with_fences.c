// SPDX-License-Identifier: Apache-2.0
// With seq_cst fences between store and load, two threads cannot both miss the other's store.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains fence >=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void* left(void* argument) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return argument;
}

static void* right(void* argument) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t first, second;
  assert(pthread_create(&first, NULL, left, NULL) == 0);
  assert(pthread_create(&second, NULL, right, NULL) == 0);
  assert(pthread_join(first, NULL) == 0);
  assert(pthread_join(second, NULL) == 0);
  assert(a == 1 || b == 1);
  return 0;
}
