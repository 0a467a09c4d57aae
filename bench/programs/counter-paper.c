// SPDX-License-Identifier: Apache-2.0
//
// One thread adds one MAX times, another takes one away MAX times, without a
// lock: updates are lost (every memory model). With -DCHECK main reads the result
// and asserts that it is 0; its read then counts among the classes.
//
// -DMAX=... (published: 5).
//
// heddle-check: cflags='-DMAX=1' all=holds classes=3
// heddle-check: all=holds classes=19
// heddle-check: cflags='-DMAX=3' all=holds classes=140
// heddle-check: cflags='-DCHECK' all=violated finding=assertion classes=26
// heddle-check: cflags='-DMAX=1 -DPLAIN' options='--races' all=violated finding=race
// heddle-check: cflags='-DMAX=5' all=holds classes=8747 test=no
#include "paper.h"

#ifndef MAX
#define MAX 2
#endif

static shared_int counter;

static void *increment(void *unused) {
  for (int i = 0; i < MAX; i++) WRITE(counter, READ(counter) + 1);
  return unused;
}

static void *decrement(void *unused) {
  for (int i = 0; i < MAX; i++) WRITE(counter, READ(counter) - 1);
  return unused;
}

int main(void) {
  pthread_t up, down;
  START(up, increment, 0);
  START(down, decrement, 0);
  JOIN(up);
  JOIN(down);
#ifdef CHECK
  assert(READ(counter) == 0);
#endif
  return 0;
}
