// SPDX-License-Identifier: Apache-2.0
// A read from an empty pipe waits until another thread writes, and sees the end
// when the writer closes.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains descriptor-read >=3
// heddle: contains descriptor-write >=2
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* argument) {
  assert(write(ends[1], "one", 3) == 3);
  assert(write(ends[1], "two", 3) == 3);
  assert(close(ends[1]) == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  char text[16];
  size_t length = 0;
  ssize_t got;
  assert(pipe(ends) == 0);
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  while ((got = read(ends[0], text + length, 3)) > 0) length += (size_t)got;
  assert(got == 0 && length == 6 && memcmp(text, "onetwo", 6) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
