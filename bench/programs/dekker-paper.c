// SPDX-License-Identifier: Apache-2.0
//
// Dekker's mutual exclusion of two threads. Waits are bounded by spin(n, N):
// they look N+2 times in all, for counters are never reset.
//
// As published, an exhausted wait enters the critical section, so mutual
// exclusion fails under SC. With -DRETURN a thread that waited too long for the
// other's flag gives up instead: safe under SC, but the store of the own flag may
// stay in the buffer while the other's is read (TSO, PSO). -DFENCES puts that
// right: a fence after each raising of the flag, and, for PSO, one before the
// critical section is left.
//
// -DN=... passes (published runs: 4).
//
// heddle-check: all=violated finding=assertion classes=84/86/154
// heddle-check: cflags='-DRETURN' sc=holds tso=violated pso=violated finding=assertion classes=56/58/92
// heddle-check: cflags='-DRETURN -DFENCES' all=holds classes=56
// heddle-check: cflags='-DRETURN -DPLAIN' sc=holds tso=violated pso=violated finding=assertion classes=56/58/92
// heddle-check: cflags='-DN=4' all=violated finding=assertion classes=525/527/1027 test=no
#include "paper.h"

#ifndef N
#define N 1
#endif

static shared_int flag[3], turn, x;

static void *run(void *argument) {
  const int me = (int)(intptr_t)argument, other = 3 - me;
  int n1 = 0, n2 = 0;
  WRITE(flag[me], 1);
  FENCE();
  while (READ(flag[other]) == 1) {
#ifdef RETURN
    if (n2++ > N) return NULL;
#else
    if (n2++ > N) break;
#endif
    if (READ(turn) != me) {
      WRITE(flag[me], 0);
      while (READ(turn) != me)
        if (n1++ > N) break;
      WRITE(flag[me], 1);
      FENCE();
    }
  }
  WRITE(x, me);
  if (READ(x) != me) BUG_HAPPENED();
  FENCE();
  WRITE(turn, other);
  WRITE(flag[me], 0);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  WRITE(turn, 1);
  START(first, run, 1);
  START(second, run, 2);
  JOIN(first);
  JOIN(second);
  ASSERT_NO_BUG();
  return 0;
}
