// SPDX-License-Identifier: Apache-2.0
//
// The environment is changed before other threads exist and after they have ended.
//
// heddle-check: all=holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *ask(void *unused) {
  assert(getenv("HEDDLE_TEST_COLOUR")[0] == 'b');
  return unused;
}

int main(void) {
  pthread_t thread;
  setenv("HEDDLE_TEST_COLOUR", "blue", 1);
  pthread_create(&thread, NULL, ask, NULL);
  pthread_join(thread, NULL);
  setenv("HEDDLE_TEST_COLOUR", "red", 1);
  assert(getenv("HEDDLE_TEST_COLOUR")[0] == 'r');
  return 0;
}
