// SPDX-License-Identifier: Apache-2.0
// rand with a seed repeats its sequence, and rand_r keeps its state in the caller's variable, per thread.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int draws[2][3];

static void* worker(void* argument) {
  unsigned seed = 7;
  int* own = argument;
  for (int i = 0; i < 3; i++) own[i] = rand_r(&seed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int first[3];
  srand(5);
  for (int i = 0; i < 3; i++) first[i] = rand();
  srand(5);
  for (int i = 0; i < 3; i++) assert(rand() == first[i]);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, draws[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < 3; i++) assert(draws[0][i] == draws[1][i]);
  return 0;
}
