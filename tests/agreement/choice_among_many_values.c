// SPDX-License-Identifier: Apache-2.0
//
// One of 100,001 values makes it fail. If not all values are tried, nobody may say that it holds.
//
// agree: undecided
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int chosen;

static void* look(void* argument) {
  (void)argument;
  assert(chosen != 50000);
  return 0;
}

int main(void) {
  pthread_t thread;
  chosen = heddle_nondet_int(0, 100000);
  pthread_create(&thread, 0, look, 0);
  pthread_join(thread, 0);
  return 0;
}
