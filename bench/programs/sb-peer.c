// SPDX-License-Identifier: Apache-2.0
//
// Store buffering: both threads store, then read what the other stores. With
// -DCHECK main asserts that not both read 0, which fails under TSO and PSO.
//
// heddle-check: all=holds classes=3/4/4
// heddle-check: cflags='-DCHECK' sc=holds tso=violated pso=violated finding=assertion classes=3/4/4
#include "peers.h"

sh x, y;
int r1, r2;

void *p(void *a) {
  ST(x, 1);
  r1 = LD(y);
  return NULL;
}

void *q(void *a) {
  ST(y, 1);
  r2 = LD(x);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  GO(t, p, NULL);
  GO(u, q, NULL);
  END(t);
  END(u);
  CHK(!(r1 == 0 && r2 == 0));
  return 0;
}
