// SPDX-License-Identifier: Apache-2.0
//
// A timed wait for a word, as C++'s semaphores and futures make it: it may run out
// although somebody wakes it in the first execution.
//
// heddle-check: all=violated finding=assertion
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static void *wake(void *unused) {
  atomic_store(&word, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  const struct timespec most = {1, 0};
  pthread_create(&thread, NULL, wake, NULL);
  const long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &most, NULL, 0);
  assert(!(result < 0 && errno == ETIMEDOUT));
  pthread_join(thread, NULL);
  return 0;
}
