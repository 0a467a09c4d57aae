// SPDX-License-Identifier: Apache-2.0
//
// In the first execution the assumption fails before the other thread has done
// anything. What it would have done makes the assumption hold in another order.
//
// heddle-check: all=violated finding=assertion
#include <pthread.h>
#include <stdatomic.h>

#include <heddle.h>

static atomic_int is_ready;
static atomic_int content;

static void *use(void *unused) {
  heddle_assume(atomic_load(&is_ready));
  atomic_store(&content, 3);
  return unused;
}

static void *prepare(void *unused) {
  atomic_store(&is_ready, 1);
  return unused;
}

int main(void) {
  pthread_t user, other;
  pthread_create(&user, NULL, use, NULL);
  pthread_create(&other, NULL, prepare, NULL);
  pthread_join(user, NULL);
  pthread_join(other, NULL);
  heddle_assert(atomic_load(&content) != 3);
  return 0;
}
