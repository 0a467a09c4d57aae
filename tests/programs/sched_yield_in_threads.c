// SPDX-License-Identifier: Apache-2.0
// sched_yield lets others run and returns 0; it orders nothing.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains yield >=6
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int counter;

static void* worker(void* argument) {
  for (int i = 0; i < 3; i++) {
    atomic_fetch_add(&counter, 1);
    assert(sched_yield() == 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(atomic_load(&counter) == 6);
  return 0;
}
