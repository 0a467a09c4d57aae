// SPDX-License-Identifier: Apache-2.0
// The philosophers take the lower-numbered fork first: no schedule deadlocks.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { kSeats = 3 };

static pthread_mutex_t forks[kSeats];
static int meals[kSeats];

static void* philosopher(void* argument) {
  intptr_t seat = (intptr_t)argument, next = (seat + 1) % kSeats;
  pthread_mutex_t *low = &forks[seat < next ? seat : next], *high = &forks[seat < next ? next : seat];
  for (int i = 0; i < 2; i++) {
    assert(pthread_mutex_lock(low) == 0);
    assert(pthread_mutex_lock(high) == 0);
    meals[seat]++;
    assert(pthread_mutex_unlock(high) == 0);
    assert(pthread_mutex_unlock(low) == 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kSeats];
  for (int i = 0; i < kSeats; i++) assert(pthread_mutex_init(&forks[i], NULL) == 0);
  for (intptr_t i = 0; i < kSeats; i++) assert(pthread_create(&threads[i], NULL, philosopher, (void*)i) == 0);
  for (int i = 0; i < kSeats; i++) assert(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < kSeats; i++) assert(meals[i] == 2);
  return 0;
}
