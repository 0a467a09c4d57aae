// SPDX-License-Identifier: Apache-2.0
//
// Peterson's mutual exclusion as it is used, with waits that never give up: safe
// under SC, and with fences under TSO and PSO too.
//
// heddle-check: sc=holds tso=violated pso=violated finding=assertion
// heddle-check: cflags='-DFENCES' all=holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)

static atomic_int flag[2], turn, inside;

static void enter_and_leave(int me) {
  STORE(flag[me], 1);
  FENCE();
  STORE(turn, 1 - me);
  FENCE();
  while (LOAD(flag[1 - me]) && LOAD(turn) == 1 - me) {
  }
  STORE(inside, me);
  assert(LOAD(inside) == me);
  FENCE();
  STORE(flag[me], 0);
}

static void *first(void *unused) {
  enter_and_leave(0);
  return unused;
}

static void *second(void *unused) {
  enter_and_leave(1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
