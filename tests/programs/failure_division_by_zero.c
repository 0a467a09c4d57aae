// SPDX-License-Identifier: Apache-2.0
// An integer division by zero raises SIGFPE.
// heddle: expect signal FPE
// heddle: schedules all
// heddle: args 0
#include <pthread.h>
#include <stdlib.h>

static int divisor;

static void* worker(void* argument) {
  *(int*)argument = 100 / divisor;
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t thread;
  int result;
  divisor = argc > 1 ? atoi(argv[1]) : 1;
  if (pthread_create(&thread, NULL, worker, &result) != 0) return 1;
  pthread_join(thread, NULL);
  return result == 100 ? 0 : 1;
}
