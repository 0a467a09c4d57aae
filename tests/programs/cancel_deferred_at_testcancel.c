// SPDX-License-Identifier: Apache-2.0
// A cancelled thread goes on until its next cancellation point; the joiner sees PTHREAD_CANCELED.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains thread-cancel
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t cancelled;
static int before, after;

static void* worker(void* argument) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  assert(sem_wait(&cancelled) == 0);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  before = 1;
  pthread_testcancel();
  after = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  assert(sem_init(&cancelled, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(sem_post(&cancelled) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  assert(before == 1 && after == 0);
  return 0;
}
