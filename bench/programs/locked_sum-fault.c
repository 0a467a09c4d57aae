// SPDX-License-Identifier: Apache-2.0
//
// A sum under a lock whose rounding depends on who comes first: 4 threads add
// one number each to one total. There is no race, but the additions may happen
// in any order, and what each thread reads depends on it: no run can serve as
// the fault-free one, and Heddle must refuse the program.
#include "fault.h"

enum { kWorkers = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;

static void *add(void *argument) {
  const double *value = argument;
  pthread_mutex_lock(&lock);
  total = total * 0.5 + *value;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(int argc, char **argv) {
  FILE *file = open_input(argc, argv);
  double *values = allocate(sizeof(double) * kWorkers);
  read_into(file, values, sizeof(double), kWorkers);
  fclose(file);
  pthread_t threads[kWorkers];
  for (int i = 0; i < kWorkers; i++) start_thread(&threads[i], add, &values[i]);
  for (int i = 0; i < kWorkers; i++) join_thread(threads[i]);
  write_result(argc, argv, &total, sizeof total, 1);
  free(values);
  return 0;
}
