// SPDX-License-Identifier: Apache-2.0
// setenv, getenv and unsetenv work on the process environment, also from another thread.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* worker(void* argument) {
  assert(strcmp(getenv("HEDDLE_TEST_COLOUR"), "blue") == 0);
  assert(setenv("HEDDLE_TEST_COLOUR", "red", 1) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(getenv("HEDDLE_TEST_COLOUR") == NULL);
  assert(setenv("HEDDLE_TEST_COLOUR", "blue", 1) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(strcmp(getenv("HEDDLE_TEST_COLOUR"), "red") == 0);
  assert(unsetenv("HEDDLE_TEST_COLOUR") == 0);
  assert(getenv("HEDDLE_TEST_COLOUR") == NULL);
  return 0;
}
