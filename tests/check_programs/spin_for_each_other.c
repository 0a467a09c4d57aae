// SPDX-License-Identifier: Apache-2.0
//
// Two threads wait for each other's flag before they set their own: livelock.
// With -DFIRST one sets its flag first, and both come through.
//
// heddle-check: all=violated finding=livelock executions=4
// heddle-check: cflags='-DFIRST' all=holds executions=9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int left, right;

static void *first(void *unused) {
#ifdef FIRST
  atomic_store(&left, 1);
#endif
  while (!atomic_load(&right)) {
  }
  atomic_store(&left, 1);
  return unused;
}

static void *second(void *unused) {
  while (!atomic_load(&left)) {
  }
  atomic_store(&right, 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
