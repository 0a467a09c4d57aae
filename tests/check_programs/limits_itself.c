// SPDX-License-Identifier: Apache-2.0
//
// A program that forbids itself something: natively the kernel ends it, or a call fails. That is not modelled, and said so.
//
// heddle-check: all=undecided reason=unsupported instead=mcr
// heddle-check: cflags='-DRLIMIT' all=undecided reason=unsupported instead=mcr
// heddle-check: cflags='-DLARGE' all=undecided reason=unsupported instead=mcr
// heddle-check: cflags='-DABSURD' all=holds
#include <assert.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
#if defined(RLIMIT)
  struct rlimit limit = {0, 0};
  setrlimit(RLIMIT_NOFILE, &limit);
#elif defined(LARGE)
  char *large = malloc((size_t)3 << 30);
  if (large) large[0] = 1;
#elif defined(ABSURD)
  assert(malloc((size_t)PTRDIFF_MAX - 4096) == 0);
#else
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
  getpid();
#endif
  pthread_join(thread, 0);
  return 0;
}
