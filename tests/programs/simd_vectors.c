// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 and 32 bytes are loaded, computed with and stored in shared memory.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef int four __attribute__((vector_size(16)));
typedef float eight __attribute__((vector_size(32)));
typedef int8_t bytes __attribute__((vector_size(16)));

static four sums[2];
static eight scaled;
static bytes shuffled;

static void* worker(void* argument) {
  four* sum = argument;
  four step = {1, 2, 3, 4};
  for (int i = 0; i < 3; i++) *sum += step;
  if (sum == &sums[1]) {
    eight base = {0, 1, 2, 3, 4, 5, 6, 7};
    scaled = base * 0.5f;
    shuffled = (bytes){1, 2, 3} + (bytes){1};
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &sums[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  four total = sums[0] + sums[1];
  for (int i = 0; i < 4; i++) assert(total[i] == 6 * (i + 1));
  assert(scaled[7] == 3.5f && shuffled[0] == 2 && shuffled[2] == 3 && shuffled[15] == 0);
  return 0;
}
