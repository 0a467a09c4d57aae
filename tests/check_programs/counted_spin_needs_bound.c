// SPDX-License-Identifier: Apache-2.0
//
// A wait that counts its rounds and uses the count is no pure wait: it has no
// end of behaviours. With a bound the check ends, and what the bound cut off is
// said: undecided, never holds.
//
// heddle-check: options='--bound-loops=3' all=undecided
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int rounds;

static void *count(void *unused) {
  int counted = 0;
  while (!atomic_load(&flag)) counted++;
  rounds = counted;
  return unused;
}

static void *set(void *unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, count, NULL);
  pthread_create(&two, NULL, set, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  heddle_observe("rounds", rounds);
  return 0;
}
