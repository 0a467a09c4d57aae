// SPDX-License-Identifier: Apache-2.0
// A thread that spins on an atomic flag lets the one that sets it run: the run does not hang.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void* consumer(void* argument) {
  while (!atomic_load_explicit(&ready, memory_order_acquire)) {
  }
  assert(data == 8);
  return argument;
}

static void* producer(void* argument) {
  data = 8;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return argument;
}

int main(void) {
  pthread_t first, second;
  assert(pthread_create(&first, NULL, consumer, NULL) == 0);
  assert(pthread_create(&second, NULL, producer, NULL) == 0);
  assert(pthread_join(first, NULL) == 0);
  assert(pthread_join(second, NULL) == 0);
  return 0;
}
