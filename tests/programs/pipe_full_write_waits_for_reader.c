// SPDX-License-Identifier: Apache-2.0
// A write of more than a pipe holds goes on as another thread reads, and returns
// when all is written.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains descriptor-write >=2
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { kSize = 10000 };
static int ends[2];

static void* reader(void* argument) {
  static char part[4096];
  size_t total = 0;
  ssize_t got;
  while ((got = read(ends[0], part, sizeof part)) > 0) total += (size_t)got;
  assert(total == kSize);
  return argument;
}

int main(void) {
  static char bytes[kSize];
  pthread_t thread;
  assert(pipe(ends) == 0);
  assert(fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
  assert(pthread_create(&thread, NULL, reader, NULL) == 0);
  assert(write(ends[1], bytes, kSize) == kSize);
  assert(close(ends[1]) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
