// SPDX-License-Identifier: Apache-2.0
//
// n5: two threads store to one place and read it back. Each sees its own store
// or one that came after it; a=2 with b=1 never happens.
//
// heddle-litmus: sc,tso,pso: a=1,b=1,x=1; a=1,b=2,x=1; a=1,b=2,x=2; a=2,b=2,x=2
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=1,x=1; a=1,b=2,x=1; a=1,b=2,x=2; a=2,b=2,x=2
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

static atomic_int x;
static int a, b;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  FENCE();
  a = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  FENCE();
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], NULL, first, NULL);
  pthread_create(&thread[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  heddle_observe("a", a);
  heddle_observe("b", b);
  heddle_observe("x", atomic_load_explicit(&x, memory_order_relaxed));
  return 0;
}
