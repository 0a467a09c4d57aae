// SPDX-License-Identifier: Apache-2.0
//
// SB+rfi: as SB, but each thread first reads its own store back, out of its
// buffer. a=c=1 with b=d=0 needs store forwarding (TSO, PSO); a model that lets
// a read wait for the own store misses it.
//
// heddle-litmus: sc: a=1,b=0,c=1,d=1; a=1,b=1,c=1,d=0; a=1,b=1,c=1,d=1
// heddle-litmus: tso,pso: a=1,b=0,c=1,d=0; a=1,b=0,c=1,d=1; a=1,b=1,c=1,d=0; a=1,b=1,c=1,d=1
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=0,c=1,d=1; a=1,b=1,c=1,d=0; a=1,b=1,c=1,d=1
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
static int a, b, c, d;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  FENCE();
  a = atomic_load_explicit(&x, memory_order_relaxed);
  b = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  FENCE();
  c = atomic_load_explicit(&y, memory_order_relaxed);
  d = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], NULL, first, NULL);
  pthread_create(&thread[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  heddle_observe("a", a);
  heddle_observe("b", b);
  heddle_observe("c", c);
  heddle_observe("d", d);
  return 0;
}
