// SPDX-License-Identifier: Apache-2.0
//
// Lamport's bakery, 2 threads; waits give up after K looks. With -DCHECK the
// critical section asserts that nobody else is in it, which fails under TSO and
// PSO.
//
// heddle-check: all=holds classes=40/80/151
// heddle-check: cflags='-DCHECK' sc=holds tso=violated pso=violated finding=assertion
#include "peers.h"

sh ch0, ch1, n0, n1, cs;
#define AWAIT(c)         \
  for (int k = 0; !(c);) \
    if (++k >= K) return NULL
#define BAKERY(me, chm, nm, cho, no, FIRST)          \
  ST(chm, 1);                                        \
  int m = LD(no) + 1;                                \
  ST(nm, m);                                         \
  ST(chm, 0);                                        \
  AWAIT(LD(cho) == 0);                               \
  for (int k = 0;;) {                                \
    int o = LD(no);                                  \
    if (o == 0 || m < o || (m == o && FIRST)) break; \
    if (++k >= K) return NULL;                       \
  }                                                  \
  ST(cs, me);                                        \
  CHK(LD(cs) == me);                                 \
  ST(nm, 0);                                         \
  return NULL;

void *p(void *a) {
  BAKERY(0, ch0, n0, ch1, n1, 1)
}

void *q(void *a) {
  BAKERY(1, ch1, n1, ch0, n0, 0)
}

int main(void) {
  pthread_t t, u;
  GO(t, p, NULL);
  GO(u, q, NULL);
  END(t);
  END(u);
  return 0;
}
