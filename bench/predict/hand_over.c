// SPDX-License-Identifier: Apache-2.0
//
// What filters cannot decide: workers hand slots to each other by a flag under a
// lock, and use them without it. Flags have the same values again and again, so only
// the solver can tell that the uses never race; each of many places is asked about.
//
//   hand_over ROUNDS       about 210 events a round
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { kWorkers = 2, kSlots = 6 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owner[kSlots];
static long slot[kSlots][4];
static int rounds;

static int is_mine(int number, int self) {
  pthread_mutex_lock(&lock);
  const int mine = owner[number] == self;
  pthread_mutex_unlock(&lock);
  return mine;
}

static void give(int number, int to) {
  pthread_mutex_lock(&lock);
  owner[number] = to;
  pthread_mutex_unlock(&lock);
}

static void use(long* value, int self) {
  value[0] += self;
  value[1] += value[0];
  value[2] = value[1] ^ value[0];
  value[3] -= value[2];
}

static void* work(void* argument) {
  const int self = (int)(long)argument;
  for (int round = 0; round < rounds; ++round)
    for (int number = 0; number < kSlots; ++number) {
      while (!is_mine(number, self)) sched_yield();
      use(slot[number], self);
      give(number, (self + 1) % kWorkers);
    }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kWorkers];
  rounds = argc > 1 ? atoi(argv[1]) : 10;
  for (long i = 0; i < kWorkers; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < kWorkers; ++i) pthread_join(threads[i], NULL);
  return 0;
}
