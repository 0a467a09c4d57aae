// SPDX-License-Identifier: Apache-2.0
// tryjoin and timedjoin report a running thread as EBUSY and ETIMEDOUT, and tryjoin joins one that has ended.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
// heddle: contains thread-join >=3
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t may_end;

static void* worker(void* argument) {
  assert(sem_wait(&may_end) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  struct timespec past = {0, 0};
  void* result = NULL;
  int mark, code;
  assert(sem_init(&may_end, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, worker, &mark) == 0);
  assert(pthread_tryjoin_np(thread, &result) == EBUSY);
  assert(pthread_timedjoin_np(thread, &result, &past) == ETIMEDOUT);
  assert(result == NULL);
  assert(sem_post(&may_end) == 0);
  while ((code = pthread_tryjoin_np(thread, &result)) == EBUSY) {
  }
  assert(code == 0 && result == &mark);
  return 0;
}
