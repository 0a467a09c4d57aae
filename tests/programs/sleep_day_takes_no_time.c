// SPDX-License-Identifier: Apache-2.0
// Sleeping a day passes on the logical clock only: the run does not really wait.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains sleep >=2
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { kDay = 24 * 60 * 60 };

static void* sleeper(void* argument) {
  assert(sleep(kDay) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  struct timespec before, after;
  assert(clock_gettime(CLOCK_MONOTONIC, &before) == 0);
  assert(pthread_create(&thread, NULL, sleeper, NULL) == 0);
  assert(sleep(kDay) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(clock_gettime(CLOCK_MONOTONIC, &after) == 0);
  assert(after.tv_sec - before.tv_sec >= kDay - 1);
  return 0;
}
