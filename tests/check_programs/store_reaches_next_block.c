// SPDX-License-Identifier: Apache-2.0
//
// A store into a block says that it is done before it has reached memory (PSO). Meanwhile the
// block is released and given out again: the store reaches the new one.
//
// heddle-check: options='--heap=reuse' sc=holds tso=holds pso=violated finding=assertion reduce=learn,dpor
// heddle-check: options='--heap=reuse' all=undecided reason=not-modelled reduce=mcr
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int *block;
static atomic_int is_done;

static void *store(void *unused) {
  atomic_store_explicit(block, 1, memory_order_relaxed);
  atomic_store_explicit(&is_done, 1, memory_order_relaxed);
  return unused;
}

static void *exchange(void *unused) {
  if (!atomic_load(&is_done)) return unused;
  free(block);
  atomic_int *next = malloc(sizeof *next);
  assert(atomic_load(next) == 0);
  return unused;
}

int main(void) {
  pthread_t storing, exchanging;
  block = malloc(sizeof *block);
  pthread_create(&storing, NULL, store, NULL);
  pthread_create(&exchanging, NULL, exchange, NULL);
  pthread_join(storing, NULL);
  pthread_join(exchanging, NULL);
  return 0;
}
