// SPDX-License-Identifier: Apache-2.0
//
// What glibc says of arguments that are wrong.
//
// agree: holds
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* locks_too(void* unused) {
  const struct timespec before_all_time = {-5, -1};
  assert(pthread_mutex_timedlock(&mutex, &before_all_time) == ETIMEDOUT);
  return unused;
}

int main(void) {
  pthread_t thread;
  int words[2] = {0, 0};
  cpu_set_t cores;
  CPU_ZERO(&cores);
  assert(pthread_join(0, 0) == ESRCH);
  assert(pthread_detach(0) == ESRCH);
  assert(pthread_setcanceltype(7, 0) == EINVAL);
  assert(pthread_setaffinity_np(pthread_self(), sizeof cores, &cores) == EINVAL);
  assert(pthread_kill(pthread_self(), 32) == EINVAL);
  assert(syscall(SYS_futex, (char*)words + 1, FUTEX_WAKE, 1, 0, 0, 0) == -1 && errno == EINVAL);
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, locks_too, 0);
  pthread_join(thread, 0);
  return 0;
}
