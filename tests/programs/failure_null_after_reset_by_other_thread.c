// SPDX-License-Identifier: Apache-2.0
// One thread resets a pointer between another's check and use; semaphores make it certain.
// heddle: expect null-dereference
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int number = 4;
static int* shared = &number;
static sem_t checked, reset;

static void* user(void* argument) {
  if (shared != NULL) {
    sem_post(&checked);
    sem_wait(&reset);
    *shared = 5;
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(sem_init(&checked, 0, 0) == 0 && sem_init(&reset, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, user, NULL) == 0);
  sem_wait(&checked);
  shared = NULL;
  sem_post(&reset);
  pthread_join(thread, NULL);
  return 0;
}
