// SPDX-License-Identifier: Apache-2.0
// abort in a thread ends the program by SIGABRT; atexit handlers do not run.
// heddle: expect abort
// heddle: schedules all
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void never_called(void) { puts("handler"); }

static void* worker(void* argument) {
  (void)argument;
  abort();
}

int main(void) {
  pthread_t thread;
  if (atexit(never_called) != 0) return 1;
  if (pthread_create(&thread, NULL, worker, NULL) != 0) return 1;
  pthread_join(thread, NULL);
  return 0;
}
