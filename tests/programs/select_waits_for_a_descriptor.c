// SPDX-License-Identifier: Apache-2.0
// select waits until a pipe has something; one with a time limit may run out.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains descriptor-poll
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* argument) {
  assert(write(ends[1], "x", 1) == 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  fd_set reading;
  assert(pipe(ends) == 0);
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  for (int ready = 0; !ready;) {
    struct timeval limit = {5, 0};
    FD_ZERO(&reading);
    FD_SET(ends[0], &reading);
    ready = select(ends[0] + 1, &reading, NULL, NULL, &limit);
    assert(ready == (FD_ISSET(ends[0], &reading) != 0));
  }
  FD_ZERO(&reading);
  FD_SET(ends[0], &reading);
  assert(select(ends[0] + 1, &reading, NULL, NULL, NULL) == 1);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
