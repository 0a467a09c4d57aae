// SPDX-License-Identifier: Apache-2.0
// Cancelling a thread that is blocked in sem_wait ends it although nobody posts.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int reached;

static void* worker(void* argument) {
  sem_wait(&never);
  reached = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  int value = -1;
  assert(sem_init(&never, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED && reached == 0);
  assert(sem_getvalue(&never, &value) == 0 && value == 0);
  return 0;
}
