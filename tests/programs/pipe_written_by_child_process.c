// SPDX-License-Identifier: Apache-2.0
// When no thread can go on, a read really waits: here for a child process.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains descriptor-read
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];
static char byte;

static void* reader(void* argument) {
  assert(read(ends[0], &byte, 1) == 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pipe(ends) == 0);
  if (fork() == 0) _exit(write(ends[1], "c", 1) != 1);
  assert(pthread_create(&thread, NULL, reader, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(byte == 'c');
  wait(NULL);
  return 0;
}
