// SPDX-License-Identifier: Apache-2.0
//
// A reader that starts again when the version has changed or is odd. The loop
// reads two other variables in between; it is a wait only while the writer is at
// work. Without looking at the version again (-DONCE) the pair may be torn.
//
// heddle-check: all=holds
// heddle-check: cflags='-DONCE' all=violated finding=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int version, left, right;

static void *write_pair(void *unused) {
  atomic_store(&version, 1);
  atomic_store(&left, 1);
  atomic_store(&right, 1);
  atomic_store(&version, 2);
  return unused;
}

static void *read_pair(void *unused) {
  for (;;) {
    const int before = atomic_load(&version);
    if (before % 2 != 0) continue;
    const int first = atomic_load(&left), second = atomic_load(&right);
#ifndef ONCE
    if (atomic_load(&version) != before) continue;
#endif
    assert(first == second);
    return unused;
  }
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_pair, NULL);
  pthread_create(&two, NULL, read_pair, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
