// SPDX-License-Identifier: Apache-2.0
//
// R: y=2 with a=0 needs the read before the own store arrives (TSO, PSO).
//
// heddle-litmus: sc: a=0,y=1; a=1,y=1; a=1,y=2
// heddle-litmus: tso,pso: a=0,y=1; a=0,y=2; a=1,y=1; a=1,y=2
// heddle-litmus: -DFENCES sc,tso,pso: a=0,y=1; a=1,y=1; a=1,y=2
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

static atomic_int x, y;
static int a;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  FENCE();
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  FENCE();
  a = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], NULL, first, NULL);
  pthread_create(&thread[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  heddle_observe("a", a);
  heddle_observe("y", atomic_load_explicit(&y, memory_order_relaxed));
  return 0;
}
