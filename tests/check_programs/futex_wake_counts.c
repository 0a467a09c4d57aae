// SPDX-License-Identifier: Apache-2.0
//
// How many threads a wake finds depends on whether they wait already, and the program looks
// at it.
//
// heddle-check: all=violated finding=assertion reduce=learn,dpor
// heddle-check: cflags='-DIGNORED' all=holds
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *wait_for_it(void *unused) {
  while (!atomic_load(&word)) syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_it, NULL);
  atomic_store(&word, 1);
#ifdef IGNORED
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
#else
  assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
#endif
  pthread_join(waiter, NULL);
  return 0;
}
