// SPDX-License-Identifier: Apache-2.0
//
// Sellers of N tickets for fewer seats; main starts one after the other until one
// of them says stop. Without the lock two sellers may both take the last seat
// (every memory model); with -DLOCKED they cannot, and there is one class per
// order of the sellers. Each seller returns whether it sold, so that counting
// takes no shared access.
//
// -DN=... sellers (published: 5 threads beside main).
//
// heddle-check: all=violated finding=assertion classes=5
// heddle-check: cflags='-DN=3' all=violated finding=assertion classes=55
// heddle-check: cflags='-DLOCKED' all=holds classes=2
// heddle-check: cflags='-DLOCKED -DN=3' all=holds classes=6
// heddle-check: cflags='-DLOCKED -DN=4' all=holds classes=24
// heddle-check: cflags='-DLOCKED -DN=5' all=holds classes=120 test=no
// heddle-check: cflags='-DN=4' all=violated finding=assertion classes=1097 test=no
#include "paper.h"

#ifndef N
#define N 2
#endif
#define CAPACITY (N - (N / 10 > 1 ? N / 10 : 1))

static shared_int sold, stop;
static pthread_mutex_t mutex __attribute__((unused)) = PTHREAD_MUTEX_INITIALIZER;

static void *sell(void *unused) {
  int done = 0;
  (void)unused;
#ifdef LOCKED
  LOCK(mutex);
#endif
  if (READ(sold) >= CAPACITY) {
    WRITE(stop, 1);
  } else {
    WRITE(sold, READ(sold) + 1);
    done = 1;
  }
#ifdef LOCKED
  UNLOCK(mutex);
#endif
  return (void *)(intptr_t)done;
}

int main(void) {
  pthread_t seller[N];
  int started = 0, sales = 0;
  for (int i = 0; i < N; i++)
    if (!READ(stop)) {
      START(seller[started], sell, 0);
      started++;
    }
  for (int i = 0; i < started; i++) {
    void *done;
    pthread_join(seller[i], &done);
    sales += (int)(intptr_t)done;
  }
  assert(sales <= CAPACITY);
  return 0;
}
