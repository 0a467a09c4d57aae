// SPDX-License-Identifier: Apache-2.0
// A read from an empty pipe with O_NONBLOCK fails at once; asked again and again,
// it lets the writer run.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* argument) {
  assert(write(ends[1], "x", 1) == 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  char byte = 0;
  assert(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  assert(read(ends[0], &byte, 1) == -1 && errno == EAGAIN);
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  while (read(ends[0], &byte, 1) == -1) assert(errno == EAGAIN);
  assert(byte == 'x');
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
