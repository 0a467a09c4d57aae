// SPDX-License-Identifier: Apache-2.0
// pthread_exit deep inside a call ends the thread and hands its value to the joiner.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void descend(int depth) {
  if (depth == 0) pthread_exit((void*)(intptr_t)99);
  descend(depth - 1);
  assert(!"pthread_exit returned");
}

static void* worker(void* argument) {
  descend(5);
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert((intptr_t)result == 99);
  return 0;
}
