// SPDX-License-Identifier: Apache-2.0
// pthread_exit in main leaves the other threads running; the process ends with code 0 after the last.
// heddle: expect exit 0
// heddle: stdout worker outlives main
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t main_thread;

static void* worker(void* argument) {
  assert(pthread_join(main_thread, NULL) == 0);
  puts("worker outlives main");
  return argument;
}

int main(void) {
  pthread_t thread;
  main_thread = pthread_self();
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  pthread_exit(NULL);
}
