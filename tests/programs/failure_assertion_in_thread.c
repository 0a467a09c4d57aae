// SPDX-License-Identifier: Apache-2.0
// A failing assertion in a thread ends the program as such.
// heddle: expect assertion
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static int counter = 1;

static void* worker(void* argument) {
  assert(counter == 2);
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, worker, NULL) != 0) return 1;
  pthread_join(thread, NULL);
  return 0;
}
