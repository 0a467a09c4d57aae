// SPDX-License-Identifier: Apache-2.0
// With cancellation disabled a request waits; a mutex lock is no cancellation point either.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t asked;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int step;

static void* worker(void* argument) {
  int old = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(sem_wait(&asked) == 0);
  usleep(10);
  pthread_testcancel();
  step = 1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  assert(pthread_mutex_lock(&mutex) == 0);
  step = 2;
  assert(pthread_mutex_unlock(&mutex) == 0);
  usleep(10);
  step = 3;
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  assert(sem_init(&asked, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(sem_post(&asked) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED && step == 2);
  return 0;
}
