// SPDX-License-Identifier: Apache-2.0
// Destroying a mutex that another thread holds is undefined behaviour.
// heddle: expect misuse
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex;
static sem_t locked, end;

static void* holder(void* argument) {
  pthread_mutex_lock(&mutex);
  sem_post(&locked);
  sem_wait(&end);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_mutex_init(&mutex, NULL) == 0);
  assert(sem_init(&locked, 0, 0) == 0 && sem_init(&end, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, holder, NULL) == 0);
  sem_wait(&locked);
  pthread_mutex_destroy(&mutex);
  sem_post(&end);
  pthread_join(thread, NULL);
  return 0;
}
