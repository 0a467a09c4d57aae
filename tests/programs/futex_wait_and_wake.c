// SPDX-License-Identifier: Apache-2.0
// A raw futex: wait refuses when the word differs, sleeps while it is equal, and is woken by wake.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
// heddle: contains await
// heddle: contains notify
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int word;

static long futex(int operation, int value) { return syscall(SYS_futex, &word, operation, value, NULL, NULL, 0); }

static void* waker(void* argument) {
  atomic_store(&word, 1);
  assert(futex(FUTEX_WAKE_PRIVATE, 1) >= 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  errno = 0;
  assert(futex(FUTEX_WAIT_PRIVATE, 5) == -1 && errno == EAGAIN);
  assert(pthread_create(&thread, NULL, waker, NULL) == 0);
  while (atomic_load(&word) == 0) {
    if (futex(FUTEX_WAIT_PRIVATE, 0) == -1) assert(errno == EAGAIN || errno == EINTR);
  }
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
