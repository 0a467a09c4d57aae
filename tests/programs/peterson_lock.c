// SPDX-License-Identifier: Apache-2.0
// Peterson's algorithm with seq_cst atomics excludes two threads from each other.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int counter;

static void* worker(void* argument) {
  int me = (int)(intptr_t)argument, other = 1 - me;
  for (int i = 0; i < 2; i++) {
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
    counter++;
    atomic_store(&wants[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, (void*)i) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(counter == 4);
  return 0;
}
