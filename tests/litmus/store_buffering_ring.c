// SPDX-License-Identifier: Apache-2.0
//
// Three threads in a ring, each reads its own store back and then the next
// one's. All may read 0 of the next (TSO, PSO).
//
// heddle-litmus: sc: a=1,b=0,c=1,d=0,e=1,f=1; a=1,b=0,c=1,d=1,e=1,f=0; a=1,b=0,c=1,d=1,e=1,f=1
// heddle-litmus: sc: a=1,b=1,c=1,d=0,e=1,f=0; a=1,b=1,c=1,d=0,e=1,f=1; a=1,b=1,c=1,d=1,e=1,f=0
// heddle-litmus: sc: a=1,b=1,c=1,d=1,e=1,f=1
// heddle-litmus: tso,pso: a=1,b=0,c=1,d=0,e=1,f=0; a=1,b=0,c=1,d=0,e=1,f=1; a=1,b=0,c=1,d=1,e=1,f=0
// heddle-litmus: tso,pso: a=1,b=0,c=1,d=1,e=1,f=1; a=1,b=1,c=1,d=0,e=1,f=0; a=1,b=1,c=1,d=0,e=1,f=1
// heddle-litmus: tso,pso: a=1,b=1,c=1,d=1,e=1,f=0; a=1,b=1,c=1,d=1,e=1,f=1
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=0,c=1,d=0,e=1,f=1; a=1,b=0,c=1,d=1,e=1,f=0; a=1,b=0,c=1,d=1,e=1,f=1
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=1,c=1,d=0,e=1,f=0; a=1,b=1,c=1,d=0,e=1,f=1; a=1,b=1,c=1,d=1,e=1,f=0
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=1,c=1,d=1,e=1,f=1
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

static atomic_int x, y, z;
static int a, b, c, d, e, f;

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
  d = atomic_load_explicit(&z, memory_order_relaxed);
  return unused;
}

static void *third(void *unused) {
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  FENCE();
  e = atomic_load_explicit(&z, memory_order_relaxed);
  f = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread[3];
  pthread_create(&thread[0], NULL, first, NULL);
  pthread_create(&thread[1], NULL, second, NULL);
  pthread_create(&thread[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++) pthread_join(thread[i], NULL);
  heddle_observe("a", a);
  heddle_observe("b", b);
  heddle_observe("c", c);
  heddle_observe("d", d);
  heddle_observe("e", e);
  heddle_observe("f", f);
  return 0;
}
