// SPDX-License-Identifier: Apache-2.0
// A read of an event counter waits until it is not 0, and takes all of it.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter;

static void* adder(void* argument) {
  const uint64_t three = 3;
  assert(write(counter, &three, sizeof three) == sizeof three);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  uint64_t sum = 0, taken;
  counter = eventfd(0, 0);
  assert(counter >= 0);
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, adder, NULL) == 0);
  while (sum < 6) {
    assert(read(counter, &taken, sizeof taken) == sizeof taken && taken > 0);
    sum += taken;
  }
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  return sum != 6;
}
