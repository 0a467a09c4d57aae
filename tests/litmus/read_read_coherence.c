// SPDX-License-Identifier: Apache-2.0
//
// CoRR, coherence of reads: stores to one place are seen in one order, by
// everyone.
//
// heddle-litmus: sc,tso,pso: a=0,b=0; a=0,b=1; a=0,b=2; a=1,b=1; a=1,b=2; a=2,b=2
// heddle-litmus: -DFENCES sc,tso,pso: a=0,b=0; a=0,b=1; a=0,b=2; a=1,b=1; a=1,b=2; a=2,b=2
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
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  a = atomic_load_explicit(&x, memory_order_relaxed);
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
  return 0;
}
