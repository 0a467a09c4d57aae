// SPDX-License-Identifier: Apache-2.0
//
// A writer publishes a pair N times, a reader looks N times. With -DCHECK it
// asserts that the pair fits: with N=1 that fails under PSO only, later under
// every memory model.
//
// heddle-check: all=holds classes=16/16/25
// heddle-check: cflags='-DN=3' all=holds classes=98/98/125
// heddle-check: cflags='-DN=4' all=holds classes=544/544/625 test=no
// heddle-check: cflags='-DN=1 -DCHECK' sc=holds tso=holds pso=violated finding=assertion
// heddle-check: cflags='-DCHECK' all=violated finding=assertion
#include "peers.h"

sh x, y, z;
int bad;

void *p(void *a) {
  for (int i = 0; i < N; i++) {
    ST(z, 0);
    ST(x, 0);
    ST(y, 0);
    ST(x, 2);
    ST(y, 3);
    ST(z, 1);
  }
  return NULL;
}

void *q(void *a) {
  for (int i = 0; i < N; i++)
    if (LD(z) == 1) {
      int u = LD(x), v = LD(y);
      CHK(u + 1 == v);
    }
  return NULL;
}

int main(void) {
  pthread_t t, u;
  GO(t, p, NULL);
  GO(u, q, NULL);
  END(t);
  END(u);
  return 0;
}
