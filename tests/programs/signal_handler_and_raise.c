// SPDX-License-Identifier: Apache-2.0
// A handler installed with signal runs inside raise, in the raising thread, and execution goes on.
// No alarm was ever set.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static pthread_t handler_thread;

static void handle(int number) {
  handled = handled + number;
  handler_thread = pthread_self();
}

static void* worker(void* argument) {
  assert(raise(SIGUSR1) == 0);
  assert(handled == SIGUSR1);
  assert(pthread_equal(handler_thread, pthread_self()));
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(signal(SIGUSR1, handle) == SIG_DFL);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(signal(SIGUSR1, SIG_IGN) == handle);
  assert(raise(SIGUSR1) == 0);
  assert(handled == SIGUSR1);
  assert(alarm(0) == 0);
  return 0;
}
