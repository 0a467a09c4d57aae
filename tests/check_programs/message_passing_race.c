// SPDX-License-Identifier: Apache-2.0
//
// Plain data behind a flag. The reader looks at the data only when the flag is
// set, so the two accesses are never enabled at once under SC; with a relaxed
// flag they race all the same. Release and acquire order them, and so do
// fences; one of the two alone does not. A flag can also be looked at by a
// compare-exchange that fails; then its order is the one for failures.
//
// heddle-check: options='--races' all=violated finding=race
// heddle-check: cflags='-DSTORE=memory_order_release -DLOAD=memory_order_acquire' options='--races' all=holds
// heddle-check: cflags='-DSTORE=memory_order_release' options='--races' all=violated finding=race
// heddle-check: cflags='-DLOAD=memory_order_acquire' options='--races' all=violated finding=race
// heddle-check: cflags='-DFENCES' options='--races' all=holds
// heddle-check: cflags='-DSTORE=memory_order_release -DEXCHANGE -DSUCCESS=memory_order_acquire' options='--races' all=violated finding=race
// heddle-check: cflags='-DSTORE=memory_order_release -DEXCHANGE -DSUCCESS=memory_order_acquire -DLOAD=memory_order_acquire' options='--races' all=holds
// heddle-check: sc=holds tso=holds
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef STORE
#define STORE memory_order_relaxed
#endif
#ifndef LOAD
#define LOAD memory_order_relaxed
#endif
#ifdef FENCES
#define FENCE(order) atomic_thread_fence(order)
#else
#define FENCE(order) (void)0
#endif

static int data, seen;
static atomic_int flag;

static void *publish(void *unused) {
  data = 1;
  FENCE(memory_order_release);
  atomic_store_explicit(&flag, 1, STORE);
  return unused;
}

static int look(void) {
#ifdef EXCHANGE
  int found = 2;
  atomic_compare_exchange_strong_explicit(&flag, &found, 3, SUCCESS, LOAD);
  return found;
#else
  return atomic_load_explicit(&flag, LOAD);
#endif
}

static void *receive(void *unused) {
  if (look()) {
    FENCE(memory_order_acquire);
    seen = data;
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, publish, NULL);
  pthread_create(&two, NULL, receive, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
