// SPDX-License-Identifier: Apache-2.0
// Three philosophers take the left fork, then the right: some schedules deadlock, one meal after the other does not.
// heddle: expect exit 0
// heddle: schedules default
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { kSeats = 3 };

static pthread_mutex_t forks[kSeats];
static int meals[kSeats];

static void* philosopher(void* argument) {
  intptr_t seat = (intptr_t)argument;
  assert(pthread_mutex_lock(&forks[seat]) == 0);
  assert(pthread_mutex_lock(&forks[(seat + 1) % kSeats]) == 0);
  meals[seat]++;
  assert(pthread_mutex_unlock(&forks[(seat + 1) % kSeats]) == 0);
  assert(pthread_mutex_unlock(&forks[seat]) == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[kSeats];
  for (int i = 0; i < kSeats; i++) assert(pthread_mutex_init(&forks[i], NULL) == 0);
  for (intptr_t i = 0; i < kSeats; i++) assert(pthread_create(&threads[i], NULL, philosopher, (void*)i) == 0);
  for (int i = 0; i < kSeats; i++) assert(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < kSeats; i++) assert(meals[i] == 1);
  return 0;
}
