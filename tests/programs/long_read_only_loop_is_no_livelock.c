// SPDX-License-Identifier: Apache-2.0
// A thread that only reads for a long time, through a pointer that it reads
// again and again, is at work, not waiting.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { kCount = 30000 };
static int numbers[kCount];
static int* volatile where = numbers;
static long sum;

static void* add_up(void* argument) {
  long total = 0;
  for (int i = 0; i < kCount; ++i) total += where[i];
  sum = total;
  return argument;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < kCount; ++i) numbers[i] = 1;
  assert(pthread_create(&thread, NULL, add_up, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(sum == kCount);
  return 0;
}
