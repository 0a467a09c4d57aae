// SPDX-License-Identifier: Apache-2.0
//
// A mutex among the locals of a function that is called twice: in the second call it
// is another one, although it lies where the first was destroyed.
//
// heddle-check: all=holds instead=mcr
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int turns;

static void *take_turn(void *mutex) {
  pthread_mutex_lock(mutex);
  turns++;
  pthread_mutex_unlock(mutex);
  return NULL;
}

static void round_of_two(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t other;
  pthread_create(&other, NULL, take_turn, &mutex);
  take_turn(&mutex);
  pthread_join(other, NULL);
  pthread_mutex_destroy(&mutex);
}

int main(void) {
  round_of_two();
  round_of_two();
  assert(turns == 4);
  return 0;
}
