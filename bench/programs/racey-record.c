// SPDX-License-Identifier: Apache-2.0
//
// racey: a program of races, made to test whether a run was reproduced. Nearly every
// change of the order changes the result. Its paths are the same in every run, so
// a recording says nothing but that it ran.
//
//   racey ROUNDS WANTED     fails if the result modulo 16 is WANTED; -1: says what it is; -2: says all of it
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 4, kCells = 64 };

struct cell {
  _Alignas(64) volatile unsigned value;
};
static struct cell m[kCells];
static struct cell sig[kThreads + 1];
static pthread_barrier_t barrier;
static int rounds = 500;
static volatile unsigned signature;

static unsigned mix(unsigned i, unsigned j) { return (i + j * 103995407u) % 103072243u; }

static void* race(void* argument) {
  const unsigned long id = (unsigned long)argument;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < rounds; ++i) {
    unsigned number = sig[id].value;
    number = mix(number, m[number % kCells].value);
    const unsigned second = number % kCells;
    number = mix(number, m[second].value);
    m[second].value = number;
    sig[id].value = number;
  }
  return 0;
}

int main(int count, char** arguments) {
  if (count > 1) rounds = atoi(arguments[1]);
  const int wanted = count > 2 ? atoi(arguments[2]) : -1;
  for (unsigned i = 0; i < kCells; ++i) m[i].value = mix(i, i);
  for (unsigned i = 0; i <= kThreads; ++i) sig[i].value = i;
  pthread_barrier_init(&barrier, 0, kThreads);
  pthread_t threads[kThreads];
  for (unsigned long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, race, (void*)(i + 1));
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  unsigned result = sig[0].value;
  for (int i = 1; i < kThreads; ++i) result = mix(sig[i].value, result);
  signature = result;
  if (wanted == -2) {
    const unsigned found = signature; /* SIGNATURE */
    printf("%u\n", found);
    return 0;
  }
  if (wanted == -1) {
    printf("%u\n", result % 16);
    return 0;
  }
  if (result % 16 != (unsigned)wanted) return 0;
  abort();
}
