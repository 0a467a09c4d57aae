// SPDX-License-Identifier: Apache-2.0
//
// Lamport's fast mutual exclusion of two threads, with bounded waits.
//
// As published, an exhausted wait leaves its loop and in the end enters the
// critical section: fails under SC. With -DRETURN a thread whose attempts (n1)
// or whose wait for the other's flag (n3) are exhausted gives up: safe under SC,
// fails under TSO and PSO, where x and y are read before the own stores arrive.
// -DFENCES puts that right.
//
// -DN=... passes per wait.
//
// heddle-check: all=violated finding=assertion classes=187/189/633
// heddle-check: cflags='-DRETURN' sc=holds tso=violated pso=violated finding=assertion classes=65/67/279
// heddle-check: cflags='-DRETURN -DFENCES' all=holds classes=65
#include "paper.h"

#ifndef N
#define N 1
#endif

static shared_int flag[3], x, y, shared;

static void *run(void *argument) {
  const int me = (int)(intptr_t)argument, other = 3 - me;
  int n1 = 0, n2 = 0, n3 = 0, n4 = 0;
  for (;;) {
#ifdef RETURN
    if (n1++ > N) return NULL;
#else
    if (n1++ > N) break;
#endif
    WRITE(flag[me], 1);
    FENCE();
    WRITE(x, me);
    FENCE();
    if (READ(y) != 0) {
      WRITE(flag[me], 0);
      while (READ(y) != 0)
        if (n2++ > N) break;
      continue;
    }
    WRITE(y, me);
    FENCE();
    if (READ(x) != me) {
      WRITE(flag[me], 0);
      FENCE();
      while (READ(flag[other]) >= 1) {
#ifdef RETURN
        if (n3++ > N) return NULL;
#else
        if (n3++ > N) break;
#endif
      }
      if (READ(y) != me) {
        while (READ(y) != 0)
          if (n4++ > N) break;
        continue;
      }
    }
    break;
  }
  WRITE(shared, me);
  if (READ(shared) != me) BUG_HAPPENED();
  FENCE();
  WRITE(y, 0);
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
