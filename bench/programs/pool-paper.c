// SPDX-License-Identifier: Apache-2.0
//
// A pool of at most two objects. One thread fills it: it computes under the pool's
// lock how many objects are missing, and makes them later. The other borrows; if
// none is idle it makes one. In between, both make the last one, and there are
// three (every memory model). A thread that finds the error unlocks and ends.
//
// heddle-check: all=violated finding=assertion classes=4
#include "paper.h"

#define LIMIT 2

static shared_int idle_count, active_count, made;
static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER, factory = PTHREAD_MUTEX_INITIALIZER;

static int at_most(int value, int limit) { return value < limit ? value : limit; }
static int at_least(int value, int limit) { return value > limit ? value : limit; }

static int make(void) {
  LOCK(factory);
  const int now = READ(made) + 1;
  WRITE(made, now);
  if (now > LIMIT) BUG_HAPPENED();
  UNLOCK(factory);
  return now <= LIMIT;
}

static void *fill(void *unused) {
  LOCK(pool);
  const int wanted = 1 - READ(idle_count);
  const int possible = LIMIT - READ(active_count) - READ(idle_count);
  UNLOCK(pool);
  for (int i = at_most(wanted, at_least(0, possible)); i > 0; i--) {
    LOCK(pool);
    if (!make()) {
      UNLOCK(pool);
      return unused;
    }
    WRITE(idle_count, READ(idle_count) + 1);
    UNLOCK(pool);
  }
  return unused;
}

static void *borrow(void *unused) {
  LOCK(pool);
  const int idle = READ(idle_count);
  if (idle > 0) WRITE(idle_count, idle - 1);
  WRITE(active_count, READ(active_count) + 1);
  UNLOCK(pool);
  if (idle == 0) make();
  return unused;
}

int main(void) {
  pthread_t filler, borrower;
  WRITE(active_count, 1);
  WRITE(made, 1);
  START(filler, fill, 0);
  START(borrower, borrow, 0);
  JOIN(filler);
  JOIN(borrower);
  ASSERT_NO_BUG();
  return 0;
}
