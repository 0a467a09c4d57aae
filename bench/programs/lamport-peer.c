// SPDX-License-Identifier: Apache-2.0
//
// Lamport's fast mutex (1987), 2 threads, ids 1 and 2; N attempts, waits give up
// after K looks. With -DCHECK the critical section asserts that nobody else is
// in it, which fails under TSO and PSO.
//
// heddle-check: cflags='-DK=1' all=holds classes=17/19/41
// heddle-check: all=holds classes=31/33/95
// heddle-check: cflags='-DCHECK' sc=holds tso=violated pso=violated finding=assertion
#include "peers.h"

sh x, y, b1, b2, cs;
#define AWAIT(c)         \
  for (int k = 0; !(c);) \
    if (++k >= K) return NULL
#define LAMPORT(me, mine)       \
  for (int i = 0; i < N; i++) { \
    ST(mine, 1);                \
    ST(x, me);                  \
    if (LD(y) != 0) {           \
      ST(mine, 0);              \
      AWAIT(LD(y) == 0);        \
      continue;                 \
    }                           \
    ST(y, me);                  \
    if (LD(x) != me) {          \
      ST(mine, 0);              \
      AWAIT(LD(b1) == 0);       \
      AWAIT(LD(b2) == 0);       \
      if (LD(y) != me) {        \
        AWAIT(LD(y) == 0);      \
        continue;               \
      }                         \
    }                           \
    ST(cs, me);                 \
    CHK(LD(cs) == me);          \
    ST(y, 0);                   \
    ST(mine, 0);                \
    return NULL;                \
  }                             \
  return NULL;

void *p(void *a) {
  LAMPORT(1, b1)
}

void *q(void *a) {
  LAMPORT(2, b2)
}

int main(void) {
  pthread_t t, u;
  GO(t, p, NULL);
  GO(u, q, NULL);
  END(t);
  END(u);
  return 0;
}
