// SPDX-License-Identifier: Apache-2.0
// Polling a flag that never comes, a bounded number of times, while nobody else
// can run, ends by itself: it only looks like waiting.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void* poll_flag(void* argument) {
  int rounds = 0;
  while (rounds < 3000 && atomic_load(&flag) == 0) ++rounds;
  assert(rounds == 3000);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, poll_flag, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
