// SPDX-License-Identifier: Apache-2.0
// Joining oneself is reported as EDEADLK, not waited for.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void* worker(void* argument) {
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
