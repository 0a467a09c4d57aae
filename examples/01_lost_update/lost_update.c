// SPDX-License-Identifier: Apache-2.0
//
// Two threads increment one counter without a lock. `counter++` reads, adds
// and writes: if both threads read before either writes, one update is lost
// and the assertion fails. On most runs it holds.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int counter;

static void* increment(void* argument) {
  counter++;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, increment, NULL);
  pthread_create(&second, NULL, increment, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(counter == 2);
  return 0;
}
