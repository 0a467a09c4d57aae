// SPDX-License-Identifier: Apache-2.0
// A thread tries a mutex again and again whose owner waits for that very thread.
// heddle: expect livelock
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* argument) {
  while (pthread_mutex_trylock(&mutex) != 0) sched_yield();
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  pthread_join(thread, NULL);
  pthread_mutex_unlock(&mutex);
  return 0;
}
