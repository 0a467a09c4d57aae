// SPDX-License-Identifier: Apache-2.0
//
// The sum of locked_sum-fault.c with turns: in round i only thread i adds to the
// total, and a barrier stands between rounds. So the additions happen in one
// order in every run, and the program can be compared with itself.
//
// With -DTHREADS=0 there is nobody to wait for: each worker adds its number when
// it is called, in the same order.
#include "fault.h"

enum { kWorkers = 4 };

struct Work {
  double value;
  int turn;
};

static pthread_barrier_t barrier;
static double total;

static void *add_in_turn(void *argument) {
  const struct Work *work = argument;
  for (int round = 0; round < kWorkers; round++) {
    if (round == work->turn) total = total * 0.5 + work->value;
#if THREADS
    pthread_barrier_wait(&barrier);
#endif
  }
  return NULL;
}

int main(int argc, char **argv) {
  FILE *file = open_input(argc, argv);
  double *values = allocate(sizeof(double) * kWorkers);
  read_into(file, values, sizeof(double), kWorkers);
  fclose(file);
  pthread_t threads[kWorkers];
  struct Work works[kWorkers];
  pthread_barrier_init(&barrier, NULL, kWorkers);
  for (int i = 0; i < kWorkers; i++) {
    works[i].value = values[i];
    works[i].turn = i;
    start_thread(&threads[i], add_in_turn, &works[i]);
  }
  for (int i = 0; i < kWorkers; i++) join_thread(threads[i]);
  pthread_barrier_destroy(&barrier);
  write_result(argc, argv, &total, sizeof total, 1);
  free(values);
  return 0;
}
