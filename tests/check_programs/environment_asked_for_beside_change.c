// SPDX-License-Identifier: Apache-2.0
//
// One thread asks for a variable of the environment, another one sets it. Asking is no
// operation that anybody sees, so no other order is tried, and nobody may say that it holds.
//
// heddle-check: all=undecided reason=not-modelled
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *change(void *unused) {
  setenv("HEDDLE_TEST_COLOUR", "red", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  setenv("HEDDLE_TEST_COLOUR", "blue", 1);
  pthread_create(&thread, NULL, change, NULL);
  assert(getenv("HEDDLE_TEST_COLOUR")[0] == 'b');
  pthread_join(thread, NULL);
  return 0;
}
