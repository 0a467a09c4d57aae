// SPDX-License-Identifier: Apache-2.0
//
// A loop around trylock instead of lock: a failed attempt changes nothing.
//
// heddle-check: all=holds executions=12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
  while (pthread_mutex_trylock(&mutex) != 0) {
  }
  counter++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, add, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(counter == 2);
  return 0;
}
