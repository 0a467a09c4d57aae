// SPDX-License-Identifier: Apache-2.0
// Of three threads in pthread_once one runs the routine; the others return only after it is done.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains once-enter >=3
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, ready;

static void initialise(void) {
  runs++;
  sched_yield();
  ready = 1;
}

static void* worker(void* argument) {
  assert(pthread_once(&once, initialise) == 0);
  assert(ready == 1);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(runs == 1);
  return 0;
}
