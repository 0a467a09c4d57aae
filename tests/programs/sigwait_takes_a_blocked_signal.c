// SPDX-License-Identifier: Apache-2.0
// A signal that is sent while it is blocked waits; sigwait takes it, whether it was sent before or after.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains signal-send >=2
// heddle: contains signal-wait >=2
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int taken[2];

static void* taker(void* argument) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(sigwait(&set, &taken[0]) == 0);
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  taken[1] = sigwaitinfo(&set, NULL);
  return argument;
}

int main(void) {
  pthread_t thread;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGTERM);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  assert(pthread_create(&thread, NULL, taker, NULL) == 0);
  assert(pthread_kill(thread, SIGUSR1) == 0);
  assert(kill(getpid(), SIGTERM) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(taken[0] == SIGUSR1 && taken[1] == SIGTERM);
  return 0;
}
