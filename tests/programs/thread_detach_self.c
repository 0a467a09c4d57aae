// SPDX-License-Identifier: Apache-2.0
// A thread detaches itself and goes on; main leaves after it has counted down.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains thread-detach
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int running = 1;

static void* worker(void* argument) {
  assert(pthread_detach(pthread_self()) == 0);
  atomic_fetch_sub(&running, 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  while (atomic_load(&running) != 0) {
  }
  return 0;
}
