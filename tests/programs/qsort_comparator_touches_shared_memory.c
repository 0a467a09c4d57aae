// SPDX-License-Identifier: Apache-2.0
// qsort calls back into the program; its comparator counts in an atomic that another thread reads.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=7
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int comparisons;

static int compare(const void* left, const void* right) {
  atomic_fetch_add(&comparisons, 1);
  return *(const int*)left - *(const int*)right;
}

static void* watch(void* argument) {
  int first = atomic_load(&comparisons), second = atomic_load(&comparisons);
  assert(first <= second);
  return argument;
}

int main(void) {
  int numbers[8] = {5, 3, 8, 1, 9, 2, 7, 4}, key = 7;
  pthread_t thread;
  assert(pthread_create(&thread, NULL, watch, NULL) == 0);
  qsort(numbers, 8, sizeof *numbers, compare);
  assert(pthread_join(thread, NULL) == 0);
  for (int i = 1; i < 8; i++) assert(numbers[i - 1] < numbers[i]);
  int* found = bsearch(&key, numbers, 8, sizeof *numbers, compare);
  assert(found != NULL && *found == 7);
  assert(atomic_load(&comparisons) >= 8);
  return 0;
}
