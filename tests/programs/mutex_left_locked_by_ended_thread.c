// SPDX-License-Identifier: Apache-2.0
// A thread ends without unlocking: whoever locks the mutex next waits for ever.
// heddle: expect deadlock
// heddle: schedules all
// heddle: contains thread-join
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* careless(void* argument) {
  pthread_mutex_lock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, careless, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  pthread_mutex_lock(&mutex);
  return 0;
}
