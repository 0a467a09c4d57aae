// SPDX-License-Identifier: Apache-2.0
//
// A pure wait: the loop reads a flag until another thread sets it, and changes
// nothing. However long it waits, that is one behaviour, not many. The data
// behind the flag arrives late under PSO, unless the flag is stored with
// release.
//
// heddle-check: sc=holds tso=holds pso=violated finding=assertion executions=6
// heddle-check: cflags='-DRELEASE' all=holds executions=6
// heddle-check: cflags='-DYIELD -DRELEASE' all=holds executions=6
// heddle-check: cflags='-DPAUSE -DRELEASE' all=holds executions=6
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELEASE
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif

static atomic_int data, flag;

static void *publish(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, ORDER);
  return unused;
}

static void *await(void *unused) {
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
#if defined(YIELD)
    sched_yield();
#elif defined(PAUSE)
    __builtin_ia32_pause();
#endif
  }
  assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, publish, NULL);
  pthread_create(&two, NULL, await, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
