// SPDX-License-Identifier: Apache-2.0
//
// Dekker's algorithm, 2 threads; every wait gives up after K looks. With -DCHECK
// the critical section asserts that nobody else is in it, which fails under TSO
// and PSO.
//
// heddle-check: all=holds classes=16/18/24
// heddle-check: cflags='-DCHECK' sc=holds tso=violated pso=violated finding=assertion
#include "peers.h"

sh flag0, flag1, turn, cs;
#define DEKKER(me, mine, other)        \
  ST(mine, 1);                         \
  for (int k = 0; LD(other);) {        \
    if (LD(turn) != me) {              \
      ST(mine, 0);                     \
      for (int j = 0; LD(turn) != me;) \
        if (++j >= K) return NULL;     \
      ST(mine, 1);                     \
    }                                  \
    if (++k >= K) return NULL;         \
  }                                    \
  ST(cs, me);                          \
  CHK(LD(cs) == me);                   \
  ST(turn, 1 - me);                    \
  ST(mine, 0);                         \
  return NULL;

void *p(void *a) {
  DEKKER(0, flag0, flag1)
}

void *q(void *a) {
  DEKKER(1, flag1, flag0)
}

int main(void) {
  pthread_t t, u;
  GO(t, p, NULL);
  GO(u, q, NULL);
  END(t);
  END(u);
  return 0;
}
