// SPDX-License-Identifier: Apache-2.0
//
// A wait that gives up after three looks is no pure wait: each number of looks
// is a behaviour of its own. Seen at the first, second or third look, or never.
//
// heddle-check: all=holds classes=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *look(void *unused) {
  for (int i = 0; i < 3; i++)
    if (atomic_load_explicit(&flag, memory_order_relaxed)) break;
  return unused;
}

static void *set(void *unused) {
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, look, NULL);
  pthread_create(&two, NULL, set, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
