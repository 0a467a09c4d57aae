// SPDX-License-Identifier: Apache-2.0
// One broadcast lets every waiter go on.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cond-broadcast
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open_door = PTHREAD_COND_INITIALIZER;
static int is_open, through;

static void* waiter(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  while (!is_open) assert(pthread_cond_wait(&open_door, &mutex) == 0);
  through++;
  assert(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) assert(pthread_create(&threads[i], NULL, waiter, NULL) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  is_open = 1;
  assert(pthread_cond_broadcast(&open_door) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(through == 3);
  return 0;
}
