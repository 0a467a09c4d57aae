// SPDX-License-Identifier: Apache-2.0
//
// N numbers, N threads; each goes once over the array and swaps neighbours that
// stand the wrong way round. Without a lock swaps of two threads mix, and numbers
// are lost or stay unsorted (every memory model). -DLOCKED: each pass is one
// critical section. With -DCHECK main reads the array and asserts that it is
// sorted; its reads then count among the classes.
//
// -DN=... (published: 4 and 5, without the lock).
//
// heddle-check: all=holds classes=13
// heddle-check: cflags='-DLOCKED' all=holds classes=2
// heddle-check: cflags='-DLOCKED -DN=3 -DCHECK' all=holds classes=6
// heddle-check: cflags='-DCHECK' all=violated finding=assertion classes=15/15/17
// heddle-check: cflags='-DN=4' all=holds test=no
#include "paper.h"

#ifndef N
#define N 2
#endif

static const int unsorted[] = {4334, 12, 5, 4, 3, 1};
static shared_int number[N];
static pthread_mutex_t mutex __attribute__((unused)) = PTHREAD_MUTEX_INITIALIZER;

static void *pass(void *unused) {
#ifdef LOCKED
  LOCK(mutex);
#endif
  for (int i = 0; i + 1 < N; i++) {
    if (READ(number[i]) > READ(number[i + 1])) {
      const int left = READ(number[i]), right = READ(number[i + 1]);
      WRITE(number[i], right);
      WRITE(number[i + 1], left);
    }
  }
#ifdef LOCKED
  UNLOCK(mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) WRITE(number[i], unsorted[i]);
  for (int i = 0; i < N; i++) START(thread[i], pass, 0);
  for (int i = 0; i < N; i++) JOIN(thread[i]);
#ifdef CHECK
  for (int i = 0; i + 1 < N; i++) assert(READ(number[i]) <= READ(number[i + 1]));
#endif
  return 0;
}
