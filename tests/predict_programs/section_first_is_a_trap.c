// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: recipe
// heddle: hb
//
// Putting the second section first would make y = 2 and y = 1 meet, but it ends
// only after a read of what the first thread writes: it cannot come first.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int y;
static atomic_int ready;

static void *first(void *unused) {
  y = 1;
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&l);
  const int seen = atomic_load_explicit(&ready, memory_order_relaxed);
  pthread_mutex_unlock(&l);
  if (seen) y = 2;
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
