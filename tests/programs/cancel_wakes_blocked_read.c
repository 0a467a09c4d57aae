// SPDX-License-Identifier: Apache-2.0
// Cancelling a thread that is blocked in read ends it although nobody writes.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int reached;

static void* worker(void* argument) {
  char byte;
  if (read(ends[0], &byte, 1) != -2) reached = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  assert(pipe(ends) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED && reached == 0);
  return 0;
}
