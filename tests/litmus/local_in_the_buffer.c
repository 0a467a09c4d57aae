// SPDX-License-Identifier: Apache-2.0
//
// A thread keeps what it has read in a local whose address is known to others,
// and reads something else while that store waits in its buffer, behind another
// one. Until it leaves the buffer, nothing but the store says which value it was.
//
// heddle-litmus: sc,tso,pso: a=0,b=0,c=1; a=0,b=1,c=1; a=1,b=0,c=1; a=1,b=1,c=0; a=1,b=1,c=1
// heddle-litmus: tso,pso: a=0,b=0,c=0; a=0,b=1,c=0; a=1,b=0,c=0
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int w, x, y, z;
static int *known;
static int a, b, c;

static void *writer(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  c = atomic_load_explicit(&w, memory_order_relaxed);
  return unused;
}

static void *reader(void *unused) {
  static atomic_int *const places[] = {&x, &z, &y};
  int local = 0;
  known = &local;
  atomic_store_explicit(&w, 1, memory_order_relaxed);
  for (int i = 0; i < 3; i++) {
    int found = atomic_load_explicit(places[i], memory_order_relaxed);
    if (i == 0) local = found;
    if (i == 2) b = found;
  }
  a = local;
  return unused;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], NULL, writer, NULL);
  pthread_create(&thread[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  heddle_observe("a", a);
  heddle_observe("b", b);
  heddle_observe("c", c);
  return 0;
}
