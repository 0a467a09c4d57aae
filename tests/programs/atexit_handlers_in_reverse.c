// SPDX-License-Identifier: Apache-2.0
// atexit handlers run in reverse order, in the thread that calls exit; one registered meanwhile runs next.
// heddle: expect exit 0
// heddle: stdout main
// heddle: stdout third
// heddle: stdout late
// heddle: stdout first
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }
static void late(void) { puts("late"); }
static void third(void) {
  puts("third");
  assert(atexit(late) == 0);
}

static void* worker(void* argument) {
  assert(atexit(first) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(atexit(third) == 0);
  puts("main");
  return 0;
}
