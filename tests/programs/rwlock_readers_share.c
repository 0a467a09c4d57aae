// SPDX-License-Identifier: Apache-2.0
// Two readers hold a read-write lock at once: each waits for the other inside.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rwlock-read >=2
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t inside;

static void* reader(void* argument) {
  assert(pthread_rwlock_rdlock(&lock) == 0);
  pthread_barrier_wait(&inside);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  assert(pthread_barrier_init(&inside, NULL, 2) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, reader, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
