// SPDX-License-Identifier: Apache-2.0
//
// S: x=2 with a=1 needs stores to different places to be reordered (PSO).
//
// heddle-litmus: sc,tso: a=0,x=1; a=0,x=2; a=1,x=1
// heddle-litmus: pso: a=0,x=1; a=0,x=2; a=1,x=1; a=1,x=2
// heddle-litmus: -DFENCES sc,tso,pso: a=0,x=1; a=0,x=2; a=1,x=1
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
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  FENCE();
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  a = atomic_load_explicit(&y, memory_order_relaxed);
  FENCE();
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], NULL, first, NULL);
  pthread_create(&thread[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  heddle_observe("a", a);
  heddle_observe("x", atomic_load_explicit(&x, memory_order_relaxed));
  return 0;
}
