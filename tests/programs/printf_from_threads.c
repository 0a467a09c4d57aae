// SPDX-License-Identifier: Apache-2.0
// Whole lines printed by two threads, one after the other; stdio's own lock does not confuse the run.
// heddle: expect exit 0
// heddle: stdout first 1 2.50 abc
// heddle: stdout second ff 42
// heddle: stdout main
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void* first(void* argument) {
  flockfile(stdout);
  printf("first %d %.2f ", 1, 2.5);
  fputs("abc", stdout);
  putchar('\n');
  funlockfile(stdout);
  return argument;
}

static void* second(void* argument) {
  printf("second %x %zu\n", 255u, (size_t)42);
  fflush(stdout);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, first, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_create(&thread, NULL, second, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  puts("main");
  return 0;
}
