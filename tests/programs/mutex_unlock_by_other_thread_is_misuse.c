// SPDX-License-Identifier: Apache-2.0
// Unlocking a normal mutex that another thread owns is undefined behaviour.
// heddle: expect misuse
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* argument) {
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
