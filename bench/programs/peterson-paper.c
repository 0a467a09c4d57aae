// SPDX-License-Identifier: Apache-2.0
//
// Peterson's mutual exclusion of two threads, with a bounded wait.
//
// As published an exhausted wait enters the critical section: fails under SC.
// With -DRETURN the thread gives up: safe under SC; under TSO and PSO the other's
// flag is read before the own one arrives. -DFENCES puts that right.
//
// -DN=... passes per wait.
//
// heddle-check: all=violated finding=assertion classes=54/68/88
// heddle-check: cflags='-DRETURN' sc=holds tso=violated pso=violated finding=assertion classes=32/46/62
// heddle-check: cflags='-DRETURN -DFENCES' all=holds classes=32
// heddle-check: cflags='-DN=4' all=violated finding=assertion test=no
#include "paper.h"

#ifndef N
#define N 1
#endif

static shared_int flag[3], turn, x;

static void *run(void *argument) {
  const int me = (int)(intptr_t)argument, other = 3 - me;
  int count = 0;
  WRITE(flag[me], 1);
  FENCE();
  WRITE(turn, other);
  FENCE();
  while (READ(flag[other]) == 1 && READ(turn) == other) {
#ifdef RETURN
    if (count++ > N) return NULL;
#else
    if (count++ > N) break;
#endif
  }
  WRITE(x, me);
  if (READ(x) != me) BUG_HAPPENED();
  FENCE();
  WRITE(flag[me], 0);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  START(first, run, 1);
  START(second, run, 2);
  JOIN(first);
  JOIN(second);
  ASSERT_NO_BUG();
  return 0;
}
