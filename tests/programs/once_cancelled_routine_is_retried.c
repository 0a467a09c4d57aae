// SPDX-License-Identifier: Apache-2.0
// A pthread_once routine that is cancelled counts as never called: the next caller runs it again.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains once-enter >=2
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int started, finished;

static void initialise(void) {
  started++;
  if (started == 1) {
    for (;;) pthread_testcancel();
  }
  finished++;
}

static void* worker(void* argument) {
  pthread_once(&once, initialise);
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  assert(started == 1 && finished == 0);
  assert(pthread_once(&once, initialise) == 0);
  assert(started == 2 && finished == 1);
  return 0;
}
