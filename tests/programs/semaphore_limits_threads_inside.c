// SPDX-License-Identifier: Apache-2.0
// A semaphore of two never lets a third thread in at the same time.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains sem-wait >=3
// heddle: contains sem-post >=3
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t slots;
static atomic_int inside;

static void* worker(void* argument) {
  assert(sem_wait(&slots) == 0);
  assert(atomic_fetch_add(&inside, 1) < 2);
  atomic_fetch_sub(&inside, 1);
  assert(sem_post(&slots) == 0);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  assert(sem_init(&slots, 0, 2) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(sem_destroy(&slots) == 0);
  return 0;
}
