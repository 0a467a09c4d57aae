// SPDX-License-Identifier: Apache-2.0
// A thread runs on the stack memory that its creator handed over.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { kStackSize = 1 << 20 };

static char* stack;

static void* worker(void* argument) {
  int local = 0;
  uintptr_t here = (uintptr_t)&local;
  assert(here >= (uintptr_t)stack && here < (uintptr_t)stack + kStackSize);
  return argument;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  void* result;
  stack = aligned_alloc(4096, kStackSize);
  assert(stack != NULL);
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setstack(&attributes, stack, kStackSize) == 0);
  assert(pthread_create(&thread, &attributes, worker, stack) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == stack);
  assert(pthread_attr_destroy(&attributes) == 0);
  free(stack);
  return 0;
}
