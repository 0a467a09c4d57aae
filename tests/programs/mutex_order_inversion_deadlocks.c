// SPDX-License-Identifier: Apache-2.0
// Two threads each hold one mutex and want the other's: a barrier makes the crossing certain.
// heddle: expect deadlock
// heddle: schedules all
// heddle: contains mutex-lock >=2
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void* worker(void* argument) {
  pthread_mutex_t *mine = argument, *other = mine == &left ? &right : &left;
  pthread_mutex_lock(mine);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(other);
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(mine);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  assert(pthread_barrier_init(&both, NULL, 2) == 0);
  assert(pthread_create(&a, NULL, worker, &left) == 0);
  assert(pthread_create(&b, NULL, worker, &right) == 0);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
