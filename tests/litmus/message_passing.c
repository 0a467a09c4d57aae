// SPDX-License-Identifier: Apache-2.0
//
// MP, message passing: data, then a flag. Who sees the flag may miss the data
// only if stores to different places are reordered (PSO). A release store of the
// flag, or a release fence before it, forbids that; reads are never reordered
// here.
//
// heddle-litmus: sc,tso: a=0,b=0; a=0,b=1; a=1,b=1
// heddle-litmus: pso: a=0,b=0; a=0,b=1; a=1,b=0; a=1,b=1
// heddle-litmus: -DFENCES sc,tso,pso: a=0,b=0; a=0,b=1; a=1,b=1
// heddle-litmus: -DRELEASE_STORE sc,tso,pso: a=0,b=0; a=0,b=1; a=1,b=1
// heddle-litmus: -DRELEASE_FENCE sc,tso,pso: a=0,b=0; a=0,b=1; a=1,b=1
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#elif defined(RELEASE_FENCE)
#define FENCE() atomic_thread_fence(memory_order_release)
#else
#define FENCE() ((void)0)
#endif

#ifdef RELEASE_STORE
#define FLAG_ORDER memory_order_release
#else
#define FLAG_ORDER memory_order_relaxed
#endif

static atomic_int x, y;
static int a, b;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  FENCE();
  atomic_store_explicit(&y, 1, FLAG_ORDER);
  return unused;
}

static void *second(void *unused) {
  a = atomic_load_explicit(&y, memory_order_relaxed);
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
