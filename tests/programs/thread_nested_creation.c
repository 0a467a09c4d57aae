// SPDX-License-Identifier: Apache-2.0
// Threads create threads: each level joins the level below and adds up what it returned.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains thread-create >=6
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void* node(void* argument) {
  intptr_t depth = (intptr_t)argument;
  if (depth == 0) return (void*)1;
  pthread_t child[2];
  intptr_t sum = 1;
  for (int i = 0; i < 2; i++) assert(pthread_create(&child[i], NULL, node, (void*)(depth - 1)) == 0);
  for (int i = 0; i < 2; i++) {
    void* result;
    assert(pthread_join(child[i], &result) == 0);
    sum += (intptr_t)result;
  }
  return (void*)sum;
}

int main(void) {
  assert((intptr_t)node((void*)2) == 7);
  return 0;
}
