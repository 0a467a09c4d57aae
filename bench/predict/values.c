// SPDX-License-Identifier: Apache-2.0
//
// What bench/predict/windows predicts from: every race here needs another value to be read. In each phase the writer
// puts a value under a lock, writes the element, and puts another value; the reader looks at the element if the
// value is large. In the last round of a phase the first value is large enough, too: that round races, in any
// other one no value leads there.
//
//   values PHASES        about 430 events a phase
#include <pthread.h>
#include <stdlib.h>

enum { kRounds = 25 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t phase_ends;
static int elements[kRounds], ready[kRounds], result, phases;

static void set(int round, int value) {
  pthread_mutex_lock(&lock);
  ready[round] = value;
  pthread_mutex_unlock(&lock);
}

static int get(int round) {
  pthread_mutex_lock(&lock);
  const int value = ready[round];
  pthread_mutex_unlock(&lock);
  return value;
}

static void* write_all(void* unused) {
  for (int phase = 0; phase < phases; ++phase) {
    for (int round = 0; round < kRounds; ++round) {
      set(round, round == kRounds - 1 ? 3 : 1);
      elements[round] = phase;
      set(round, 5);
    }
    pthread_barrier_wait(&phase_ends);
    for (int round = 0; round < kRounds; ++round) set(round, 0);
    pthread_barrier_wait(&phase_ends);
  }
  return unused;
}

static void* read_all(void* unused) {
  for (int phase = 0; phase < phases; ++phase) {
    for (int round = 0; round < kRounds; ++round)
      if (get(round) > 2) result = elements[round];
    pthread_barrier_wait(&phase_ends);
    pthread_barrier_wait(&phase_ends);
  }
  return unused;
}

int main(int argc, char** argv) {
  pthread_t writer, reader;
  phases = argc > 1 ? atoi(argv[1]) : 1;
  pthread_barrier_init(&phase_ends, NULL, 2);
  pthread_create(&writer, NULL, write_all, NULL);
  pthread_create(&reader, NULL, read_all, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  return 0;
}
