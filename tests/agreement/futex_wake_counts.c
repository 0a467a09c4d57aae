// SPDX-License-Identifier: Apache-2.0
//
// How many threads a futex wakes is something that its caller learns.
//
// agree: violated assertion
// agree-undecided: mcr mcr-s se-mcr
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void* wait_for_change(void* unused) {
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_for_change, 0);
  word = 1;
  assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0) == 0);
  pthread_join(thread, 0);
  return 0;
}
