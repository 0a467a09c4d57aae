// SPDX-License-Identifier: Apache-2.0
// Two semaphores make two threads take turns strictly.
// heddle: expect exit 0
// heddle: stdout ping 0
// heddle: stdout pong 0
// heddle: stdout ping 1
// heddle: stdout pong 1
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ping, pong;

static void* worker(void* argument) {
  for (int i = 0; i < 2; i++) {
    assert(sem_wait(&pong) == 0);
    printf("pong %d\n", i);
    assert(sem_post(&ping) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(sem_init(&ping, 0, 1) == 0);
  assert(sem_init(&pong, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) {
    assert(sem_wait(&ping) == 0);
    printf("ping %d\n", i);
    assert(sem_post(&pong) == 0);
  }
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
