// SPDX-License-Identifier: Apache-2.0
// heddle: mcm 14,21
// heddle: hb 14,21
//
// A relaxed flag orders nothing: the accesses to data race, although they are
// never both next.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *publish(void *unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

static void *receive(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
    data = 2;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, publish, NULL);
  pthread_create(&two, NULL, receive, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
