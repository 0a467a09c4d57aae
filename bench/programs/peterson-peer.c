// SPDX-License-Identifier: Apache-2.0
//
// Peterson's algorithm, 2 threads; waits give up after K looks. With -DCHECK the
// critical section asserts that nobody else is in it, which fails under TSO and
// PSO.
//
// heddle-check: all=holds classes=18/28/34
// heddle-check: cflags='-DCHECK' sc=holds tso=violated pso=violated finding=assertion
#include "peers.h"

sh flag0, flag1, turn, cs;
#define PETERSON(me, mine, other)                   \
  ST(mine, 1);                                      \
  ST(turn, 1 - me);                                 \
  for (int k = 0; LD(other) && LD(turn) == 1 - me;) \
    if (++k >= K) return NULL;                      \
  ST(cs, me);                                       \
  CHK(LD(cs) == me);                                \
  ST(mine, 0);                                      \
  return NULL;

void *p(void *a) {
  PETERSON(0, flag0, flag1)
}

void *q(void *a) {
  PETERSON(1, flag1, flag0)
}

int main(void) {
  pthread_t t, u;
  GO(t, p, NULL);
  GO(u, q, NULL);
  END(t);
  END(u);
  return 0;
}
