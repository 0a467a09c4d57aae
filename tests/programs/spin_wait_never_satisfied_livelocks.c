// SPDX-License-Identifier: Apache-2.0
// A thread spins on a flag that nobody will set; main waits for it.
// heddle: expect livelock
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void* worker(void* argument) {
  while (!atomic_load(&ready)) {
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
