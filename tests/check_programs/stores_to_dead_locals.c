// SPDX-License-Identifier: Apache-2.0
//
// Under TSO and PSO a store to a local variable may still wait in its buffer when the
// function returns, behind one that matters; the next function has its own variable there.
//
// heddle-check: sc=holds tso=violated pso=violated finding=assertion classes=4/6/6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int *_Atomic seen;
static int a, b;

static __attribute__((noinline)) int publish(int value) {
  int local;
  seen = &local;  // it escapes
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  local = value;
  return local;
}

static __attribute__((noinline)) int look(int value) {
  long local = value;
  seen = (int *)&local;
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  local += 1;
  return (int)local;
}

static void *first(void *unused) {
  int sum = publish(1) + look(2);
  assert(sum == 4);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(a || b == 2);
}
