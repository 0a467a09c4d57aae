// SPDX-License-Identifier: Apache-2.0
// pthread_setname_np and getname work on a live thread, from inside and outside.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t named, checked;

static void* worker(void* argument) {
  char name[16];
  assert(pthread_setname_np(pthread_self(), "weaver") == 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "weaver") == 0);
  assert(sem_post(&named) == 0);
  assert(sem_wait(&checked) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  char name[16];
  assert(sem_init(&named, 0, 0) == 0 && sem_init(&checked, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(sem_wait(&named) == 0);
  assert(pthread_getname_np(thread, name, sizeof name) == 0 && strcmp(name, "weaver") == 0);
  assert(sem_post(&checked) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
