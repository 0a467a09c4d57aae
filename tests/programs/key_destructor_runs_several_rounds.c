// SPDX-License-Identifier: Apache-2.0
// A key destructor that sets its key again is called again, PTHREAD_DESTRUCTOR_ITERATIONS times at most.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t stubborn, twice;
static int stubborn_calls, twice_calls;

static void reset_always(void* value) {
  stubborn_calls++;
  assert(pthread_getspecific(stubborn) == NULL);
  assert(pthread_setspecific(stubborn, value) == 0);
}

static void reset_once(void* value) {
  if (++twice_calls == 1) assert(pthread_setspecific(twice, value) == 0);
}

static void* worker(void* argument) {
  assert(pthread_setspecific(stubborn, &stubborn_calls) == 0);
  assert(pthread_setspecific(twice, &twice_calls) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_key_create(&stubborn, reset_always) == 0);
  assert(pthread_key_create(&twice, reset_once) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(stubborn_calls == PTHREAD_DESTRUCTOR_ITERATIONS);
  assert(twice_calls == 2);
  return 0;
}
