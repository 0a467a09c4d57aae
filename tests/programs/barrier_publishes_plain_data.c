// SPDX-License-Identifier: Apache-2.0
// What each thread wrote before the barrier, the others read after it; two phases, no lock.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int cells[2] = {1, 2};

static void* worker(void* argument) {
  intptr_t me = (intptr_t)argument;
  for (int phase = 0; phase < 2; phase++) {
    int sum = cells[0] + cells[1];
    pthread_barrier_wait(&barrier);
    cells[me] = sum;
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
  for (intptr_t i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, (void*)i) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(cells[0] == 6 && cells[1] == 6);
  return 0;
}
