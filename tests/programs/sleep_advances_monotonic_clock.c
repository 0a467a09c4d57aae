// SPDX-License-Identifier: Apache-2.0
// After nanosleep, usleep or clock_nanosleep the sleeper's monotonic clock has moved on by at least that much.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains sleep >=6
// heddle: contains clock >=8
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void* sleeper(void* argument) {
  struct timespec two_ms = {0, 2000000};
  long long start = now();
  assert(nanosleep(&two_ms, NULL) == 0);
  long long middle = now();
  assert(middle - start >= 2000000);
  assert(usleep(1000) == 0);
  assert(now() - middle >= 1000000);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &two_ms, NULL) == 0);
  assert(now() - start >= 5000000);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, sleeper, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
