// SPDX-License-Identifier: Apache-2.0
// pthread_self is stable within a thread, differs between live threads, and equals what create gave.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static pthread_t seen[2];
static pthread_barrier_t both;

static void* worker(void* argument) {
  pthread_t* slot = argument;
  *slot = pthread_self();
  pthread_barrier_wait(&both);
  assert(pthread_equal(*slot, pthread_self()));
  assert(!pthread_equal(seen[0], seen[1]));
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  assert(pthread_barrier_init(&both, NULL, 2) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &seen[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(pthread_equal(threads[0], seen[0]) && pthread_equal(threads[1], seen[1]));
  assert(!pthread_equal(seen[0], pthread_self()));
  return 0;
}
