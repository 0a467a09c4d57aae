// SPDX-License-Identifier: Apache-2.0
// Two readers that both want to become writers without letting go wait for each other.
// heddle: expect deadlock
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both_read;

static void* worker(void* argument) {
  pthread_rwlock_rdlock(&lock);
  pthread_barrier_wait(&both_read);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  assert(pthread_barrier_init(&both_read, NULL, 2) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
