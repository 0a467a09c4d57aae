// SPDX-License-Identifier: Apache-2.0
//
// Lamport's bakery for two threads, with bounded waits.
//
// As published there is no order between equal numbers, and an exhausted wait
// enters the critical section: fails under SC. With -DRETURN equal numbers are
// ordered by the thread's id, each number is read once where it is compared, and
// a thread whose wait is exhausted gives up: safe under SC, fails under TSO and
// PSO, where "entering" is read before the own stores arrive. -DFENCES puts that
// right.
//
// -DN=... passes per wait.
//
// heddle-check: all=violated finding=assertion classes=248/664/1376
// heddle-check: cflags='-DRETURN' sc=holds tso=violated pso=violated finding=assertion classes=75/179/429
// heddle-check: cflags='-DRETURN -DFENCES' all=holds classes=75
#include "paper.h"

#ifndef N
#define N 1
#endif

static shared_int entering[2], number[2], x;

static void *run(void *argument) {
  const int me = (int)(intptr_t)argument;
  int n1 = 0, n2 = 0, highest = 0;
  WRITE(entering[me], 1);
  FENCE();
  for (int other = 0; other < 2; other++) {
#ifdef RETURN
    const int seen = READ(number[other]);
    if (seen > highest) highest = seen;
#else
    if (READ(number[other]) > highest) highest = READ(number[other]);
#endif
  }
  WRITE(number[me], 1 + highest);
  FENCE();
  WRITE(entering[me], 0);
  FENCE();
  for (int other = 0; other < 2; other++) {
    while (READ(entering[other]) == 1) {
#ifdef RETURN
      if (n1++ > N) return NULL;
#else
      if (n1++ > N) break;
#endif
    }
#ifdef RETURN
    for (;;) {
      const int seen = READ(number[other]);
      if (seen == 0 || seen > 1 + highest || (seen == 1 + highest && other >= me)) break;
      if (n2++ > N) return NULL;
    }
#else
    while (READ(number[other]) != 0 && READ(number[other]) < READ(number[me]))
      if (n2++ > N) break;
#endif
  }
  WRITE(x, me + 1);
  if (READ(x) != me + 1) BUG_HAPPENED();
  FENCE();
  WRITE(number[me], 0);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  START(first, run, 0);
  START(second, run, 1);
  JOIN(first);
  JOIN(second);
  ASSERT_NO_BUG();
  return 0;
}
