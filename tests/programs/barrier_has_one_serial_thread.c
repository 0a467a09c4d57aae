// SPDX-License-Identifier: Apache-2.0
// In every round of a reused barrier exactly one thread gets PTHREAD_BARRIER_SERIAL_THREAD.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains barrier-arrive >=9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3, kRounds = 3 };

static pthread_barrier_t barrier;
static atomic_int serial[kRounds], arrived[kRounds];

static void* worker(void* argument) {
  for (int round = 0; round < kRounds; round++) {
    atomic_fetch_add(&arrived[round], 1);
    int code = pthread_barrier_wait(&barrier);
    assert(code == 0 || code == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(atomic_load(&arrived[round]) == kThreads);
    if (code != 0) atomic_fetch_add(&serial[round], 1);
  }
  return argument;
}

int main(void) {
  pthread_t threads[kThreads];
  assert(pthread_barrier_init(&barrier, NULL, kThreads) == 0);
  for (int i = 0; i < kThreads; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < kThreads; i++) assert(pthread_join(threads[i], NULL) == 0);
  for (int round = 0; round < kRounds; round++) assert(atomic_load(&serial[round]) == 1);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
