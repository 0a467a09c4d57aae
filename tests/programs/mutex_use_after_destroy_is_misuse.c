// SPDX-License-Identifier: Apache-2.0
// A thread locks a mutex that has been destroyed.
// heddle: expect misuse
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void* late(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_mutex_init(&mutex, NULL) == 0);
  assert(pthread_mutex_destroy(&mutex) == 0);
  assert(pthread_create(&thread, NULL, late, NULL) == 0);
  pthread_join(thread, NULL);
  return 0;
}
