// SPDX-License-Identifier: Apache-2.0
// The signal comes before the wait and is lost, since nobody looks at a predicate.
// heddle: expect deadlock
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

static void* signaller(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, signaller, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&event, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
