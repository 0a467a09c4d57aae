// SPDX-License-Identifier: Apache-2.0
//
// IRIW, independent reads of independent writes: two readers never see two
// writes in different orders, for a store reaches all other threads at once.
//
// heddle-litmus: sc,tso,pso: a=0,b=0,c=0,d=0; a=0,b=0,c=0,d=1; a=0,b=0,c=1,d=0; a=0,b=0,c=1,d=1; a=0,b=1,c=0,d=0
// heddle-litmus: sc,tso,pso: a=0,b=1,c=0,d=1; a=0,b=1,c=1,d=0; a=0,b=1,c=1,d=1; a=1,b=0,c=0,d=0; a=1,b=0,c=0,d=1
// heddle-litmus: sc,tso,pso: a=1,b=0,c=1,d=1; a=1,b=1,c=0,d=0; a=1,b=1,c=0,d=1; a=1,b=1,c=1,d=0; a=1,b=1,c=1,d=1
// heddle-litmus: -DFENCES sc,tso,pso: a=0,b=0,c=0,d=0; a=0,b=0,c=0,d=1; a=0,b=0,c=1,d=0; a=0,b=0,c=1,d=1
// heddle-litmus: -DFENCES sc,tso,pso: a=0,b=1,c=0,d=0; a=0,b=1,c=0,d=1; a=0,b=1,c=1,d=0; a=0,b=1,c=1,d=1
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=0,c=0,d=0; a=1,b=0,c=0,d=1; a=1,b=0,c=1,d=1; a=1,b=1,c=0,d=0
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=1,c=0,d=1; a=1,b=1,c=1,d=0; a=1,b=1,c=1,d=1
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
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *third(void *unused) {
  a = atomic_load_explicit(&x, memory_order_relaxed);
  FENCE();
  b = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *fourth(void *unused) {
  c = atomic_load_explicit(&y, memory_order_relaxed);
  FENCE();
  d = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread[4];
  pthread_create(&thread[0], NULL, first, NULL);
  pthread_create(&thread[1], NULL, second, NULL);
  pthread_create(&thread[2], NULL, third, NULL);
  pthread_create(&thread[3], NULL, fourth, NULL);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  heddle_observe("a", a);
  heddle_observe("b", b);
  heddle_observe("c", c);
  heddle_observe("d", d);
  return 0;
}
