// SPDX-License-Identifier: Apache-2.0
// A thread created detached runs without being joined; a semaphore tells that it is done.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains sem-wait
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int value;

static void* worker(void* argument) {
  (void)argument;
  value = 7;
  assert(sem_post(&done) == 0);
  return NULL;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  int state;
  assert(sem_init(&done, 0, 0) == 0);
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  assert(pthread_create(&thread, &attributes, worker, NULL) == 0);
  assert(pthread_attr_destroy(&attributes) == 0);
  assert(sem_wait(&done) == 0);
  assert(value == 7);
  return 0;
}
