// SPDX-License-Identifier: Apache-2.0
// trylock reports EBUSY while another thread holds the mutex and succeeds once it is free.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains mutex-trylock >=2
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held, tried;

static void* holder(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  pthread_barrier_wait(&held);
  pthread_barrier_wait(&tried);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_barrier_init(&held, NULL, 2) == 0);
  assert(pthread_barrier_init(&tried, NULL, 2) == 0);
  assert(pthread_create(&thread, NULL, holder, NULL) == 0);
  pthread_barrier_wait(&held);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  pthread_barrier_wait(&tried);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_mutex_trylock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
