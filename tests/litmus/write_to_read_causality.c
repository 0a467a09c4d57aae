// SPDX-License-Identifier: Apache-2.0
//
// WRC, write-to-read causality: what the second thread saw before it stored, the
// third sees after reading that store. a=b=1 with c=0 never happens with store
// buffers.
//
// heddle-litmus: sc,tso,pso: a=0,b=0,c=0; a=0,b=0,c=1; a=0,b=1,c=0; a=0,b=1,c=1; a=1,b=0,c=0; a=1,b=0,c=1
// heddle-litmus: sc,tso,pso: a=1,b=1,c=1
// heddle-litmus: -DFENCES sc,tso,pso: a=0,b=0,c=0; a=0,b=0,c=1; a=0,b=1,c=0; a=0,b=1,c=1; a=1,b=0,c=0; a=1,b=0,c=1
// heddle-litmus: -DFENCES sc,tso,pso: a=1,b=1,c=1
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
static int a, b, c;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  a = atomic_load_explicit(&x, memory_order_relaxed);
  FENCE();
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *third(void *unused) {
  b = atomic_load_explicit(&y, memory_order_relaxed);
  FENCE();
  c = atomic_load_explicit(&x, memory_order_relaxed);
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
  return 0;
}
