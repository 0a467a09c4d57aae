// SPDX-License-Identifier: Apache-2.0
//
// The motivating example of maximal causality reduction: three threads, two
// variables, one lock that protects some of the accesses. The error needs y to
// be 3 when x is 2, which takes both rounds of the second thread (every memory
// model).
//
// heddle-check: all=violated finding=assertion classes=107/107/137
#include "paper.h"

static shared_int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
  for (int i = 0; i < 2; i++) {
    LOCK(mutex);
    WRITE(x, 0);
    UNLOCK(mutex);
    if (READ(x) > 0) {
      WRITE(y, READ(y) + 1);
      WRITE(x, 2);
    }
  }
  return unused;
}

static void *second(void *unused) {
  for (int i = 0; i < 2; i++) {
    if (READ(x) > 1) {
      if (READ(y) == 3)
        BUG_HAPPENED();
      else
        WRITE(y, 2);
    }
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  START(one, first, 0);
  START(two, second, 0);
  for (int i = 0; i < 2; i++) {
    LOCK(mutex);
    WRITE(x, 1);
    WRITE(y, 1);
    UNLOCK(mutex);
  }
  JOIN(one);
  JOIN(two);
  ASSERT_NO_BUG();
  return 0;
}
