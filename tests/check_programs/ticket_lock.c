// SPDX-License-Identifier: Apache-2.0
//
// A ticket lock: each thread takes a number and waits until it is served. Two
// orders of two threads, however long they wait. Serving the next with a relaxed
// store lets the counter arrive later under PSO (-DRELAXED).
//
// heddle-check: all=holds executions=12
// heddle-check: cflags='-DRELAXED' sc=holds tso=holds pso=violated finding=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static atomic_int next_ticket, now_serving, counter;

static void *add(void *unused) {
  const int mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine) {
  }
  const int seen = atomic_load_explicit(&counter, memory_order_relaxed);
  atomic_store_explicit(&counter, seen + 1, memory_order_relaxed);
  atomic_store_explicit(&now_serving, mine + 1, ORDER);
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
