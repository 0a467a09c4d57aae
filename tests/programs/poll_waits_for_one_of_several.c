// SPDX-License-Identifier: Apache-2.0
// poll waits until one of several pipes has something, says which, and runs out
// of time when nobody writes.
// heddle: expect exit 0
// heddle: schedules default
// heddle: contains descriptor-poll >=3
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2][2];

static void* writer(void* argument) {
  assert(write(ends[1][1], "x", 1) == 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 2; ++i) assert(pipe(ends[i]) == 0);
  struct pollfd watched[2] = {{ends[0][0], POLLIN, 0}, {ends[1][0], POLLIN, 0}};
  assert(poll(watched, 2, 0) == 0);
  assert(poll(watched, 2, 1000000) == 0);  // logical time: at once
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  assert(poll(watched, 2, -1) == 1);
  assert(watched[0].revents == 0 && watched[1].revents == POLLIN);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
