// SPDX-License-Identifier: Apache-2.0
// Main holds the mutex until it waits, so the wait always happens: it shows as a wait and a resume.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cond-wait
// heddle: contains cond-resume
// heddle: contains cond-broadcast
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int ready;

static void* producer(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  ready = 1;
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_cond_broadcast(&changed) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_cond_init(&changed, NULL) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_create(&thread, NULL, producer, NULL) == 0);
  assert(ready == 0);
  while (!ready) assert(pthread_cond_wait(&changed, &mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
