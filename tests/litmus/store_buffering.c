// SPDX-License-Identifier: Apache-2.0
//
// SB, store buffering: each thread stores and then reads what the other stores.
// Both read 0 while both stores are still buffered (TSO, PSO).
//
// heddle-litmus: sc: a=0,b=1; a=1,b=0; a=1,b=1
// heddle-litmus: tso,pso: a=0,b=0; a=0,b=1; a=1,b=0; a=1,b=1
// heddle-litmus: -DFENCES sc,tso,pso: a=0,b=1; a=1,b=0; a=1,b=1
// heddle-litmus: -DSEQ_CST sc,tso,pso: a=0,b=1; a=1,b=0; a=1,b=1
// heddle-litmus: -DEXCHANGE sc,tso,pso: a=0,b=1; a=1,b=0; a=1,b=1
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

#if defined(SEQ_CST)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_seq_cst)
#elif defined(EXCHANGE)
#define STORE(variable, value) ((void)atomic_exchange_explicit(&(variable), value, memory_order_relaxed))
#else
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)
#endif

static atomic_int x, y;
static int a, b;

static void *first(void *unused) {
  STORE(x, 1);
  FENCE();
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  STORE(y, 1);
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
