// SPDX-License-Identifier: Apache-2.0
// writev joins pieces and readv spreads them over others; the reader waits.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains descriptor-read
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* argument) {
  struct iovec parts[2] = {{"abc", 3}, {"defgh", 5}};
  assert(writev(ends[1], parts, 2) == 8);
  return argument;
}

int main(void) {
  pthread_t thread;
  char first[5] = "", second[5] = "";
  struct iovec parts[2] = {{first, 4}, {second, 4}};
  assert(pipe(ends) == 0);
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  assert(readv(ends[0], parts, 2) == 8);
  assert(strcmp(first, "abcd") == 0 && strcmp(second, "efgh") == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
