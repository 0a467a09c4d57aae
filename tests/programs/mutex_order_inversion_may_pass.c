// SPDX-License-Identifier: Apache-2.0
// The classic lock order inversion without a barrier: harmless when one thread runs through at once.
// heddle: expect exit 0
// heddle: schedules default
// heddle: contains mutex-lock >=4
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* argument) {
  pthread_mutex_t *mine = argument, *other = mine == &left ? &right : &left;
  assert(pthread_mutex_lock(mine) == 0);
  assert(pthread_mutex_lock(other) == 0);
  assert(pthread_mutex_unlock(other) == 0);
  assert(pthread_mutex_unlock(mine) == 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  assert(pthread_create(&a, NULL, worker, &left) == 0);
  assert(pthread_create(&b, NULL, worker, &right) == 0);
  assert(pthread_join(a, NULL) == 0);
  assert(pthread_join(b, NULL) == 0);
  return 0;
}
