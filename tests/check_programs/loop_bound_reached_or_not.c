// SPDX-License-Identifier: Apache-2.0
//
// A loop of three rounds: a larger bound cuts nothing off, a smaller one does,
// and then nothing is proved.
//
// heddle-check: all=holds
// heddle-check: options='--bound-loops=10' all=holds
// heddle-check: options='--bound-loops=1' all=undecided
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *add(void *unused) {
  for (int i = 0; i < 3; i++) atomic_fetch_add(&counter, 1);
  return unused;
}

static void *look(void *unused) {
  (void)atomic_load(&counter);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, look, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
