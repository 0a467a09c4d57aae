// SPDX-License-Identifier: Apache-2.0
//
// One of 2,001 values makes it fail: all of them are tried.
//
// heddle-check: all=violated finding=assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int chosen;

static void* choose(void* argument) {
  (void)argument;
  chosen = heddle_nondet_int(0, 2000);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, choose, 0);
  pthread_join(thread, 0);
  assert(chosen != 1500);
  return 0;
}
