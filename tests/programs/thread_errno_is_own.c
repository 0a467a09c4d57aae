// SPDX-License-Identifier: Apache-2.0
// errno is a variable of each thread: a failing call in one does not disturb the other.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static void* fail(void* argument) {
  errno = 0;
  for (int i = 0; i < 3; i++) {
    assert(close(-1) == -1);
    sched_yield();
    assert(errno == EBADF);
  }
  return argument;
}

static void* set(void* argument) {
  for (int i = 1; i < 4; i++) {
    errno = i;
    sched_yield();
    assert(errno == i);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  errno = 77;
  assert(pthread_create(&first, NULL, fail, NULL) == 0);
  assert(pthread_create(&second, NULL, set, NULL) == 0);
  assert(pthread_join(first, NULL) == 0);
  assert(pthread_join(second, NULL) == 0);
  assert(errno == 77);
  return 0;
}
