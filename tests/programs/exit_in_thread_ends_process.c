// SPDX-License-Identifier: Apache-2.0
// exit called by a thread ends the process with its code, though main waits and another thread is blocked.
// heddle: expect exit 3
// heddle: stdout bye
// heddle: schedules all
// heddle: contains exit
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t never;

static void* blocked(void* argument) {
  sem_wait(&never);
  return argument;
}

static void* leaver(void* argument) {
  (void)argument;
  puts("bye");
  exit(3);
}

int main(void) {
  pthread_t threads[2];
  assert(sem_init(&never, 0, 0) == 0);
  assert(pthread_create(&threads[0], NULL, blocked, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, leaver, NULL) == 0);
  pthread_join(threads[0], NULL);
  return 0;
}
