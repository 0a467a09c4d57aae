// SPDX-License-Identifier: Apache-2.0
//
// n6: a=1, b=0 with x=1 at the end: the first thread reads its own store out of
// its buffer and sees none of the other's stores, yet its store arrives last
// (TSO, PSO).
//
// heddle-litmus: sc: a=1,b=0,x=2,y=2; a=1,b=2,x=1,y=2; a=1,b=2,x=2,y=2; a=2,b=2,x=2,y=2
// heddle-litmus: tso: a=1,b=0,x=1,y=2; a=1,b=0,x=2,y=2; a=1,b=2,x=1,y=2; a=1,b=2,x=2,y=2; a=2,b=2,x=2,y=2
// heddle-litmus: pso: a=1,b=0,x=1,y=2; a=1,b=0,x=2,y=2; a=1,b=2,x=1,y=2; a=1,b=2,x=2,y=2; a=2,b=0,x=2,y=2
// heddle-litmus: pso: a=2,b=2,x=2,y=2
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=0,x=2,y=2; a=1,b=2,x=1,y=2; a=1,b=2,x=2,y=2; a=2,b=2,x=2,y=2
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
static int a, b;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  FENCE();
  a = atomic_load_explicit(&x, memory_order_relaxed);
  b = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  FENCE();
  atomic_store_explicit(&x, 2, memory_order_relaxed);
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
  heddle_observe("y", atomic_load_explicit(&y, memory_order_relaxed));
  return 0;
}
