// SPDX-License-Identifier: Apache-2.0
// Nobody sends what sigwait waits for.
// heddle: expect deadlock
// heddle: schedules all
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

int main(void) {
  sigset_t set;
  int taken;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  sigwait(&set, &taken);
  return 0;
}
