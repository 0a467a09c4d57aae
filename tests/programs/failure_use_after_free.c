// SPDX-License-Identifier: Apache-2.0
// A thread reads a block that another thread has freed.
// heddle: expect use-after-free
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int* shared;

static void* release(void* argument) {
  free(shared);
  return argument;
}

static void* use(void* argument) {
  *(int*)argument = shared[1];
  return NULL;
}

int main(void) {
  pthread_t thread;
  int value = 0;
  shared = calloc(4, sizeof *shared);
  assert(shared != NULL);
  assert(pthread_create(&thread, NULL, release, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_create(&thread, NULL, use, &value) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
