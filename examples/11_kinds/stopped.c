// SPDX-License-Identifier: Apache-2.0
//
// Is asked to end. Here the program asks itself; usually somebody else does.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void* asks(void* unused) {
  kill(getpid(), SIGTERM);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, asks, 0);
  pthread_join(thread, 0);
  return 0;
}
