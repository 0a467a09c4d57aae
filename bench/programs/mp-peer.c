// SPDX-License-Identifier: Apache-2.0
//
// Message passing: data, then a flag. With -DCHECK main asserts that who saw the
// flag saw the data, which fails under PSO.
//
// heddle-check: all=holds classes=3/3/4
// heddle-check: cflags='-DCHECK' sc=holds tso=holds pso=violated finding=assertion classes=3/3/4
#include "peers.h"

sh x, y;
int r1, r2;

void *p(void *a) {
  ST(x, 1);
  ST(y, 1);
  return NULL;
}

void *q(void *a) {
  r1 = LD(y);
  r2 = LD(x);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  GO(t, p, NULL);
  GO(u, q, NULL);
  END(t);
  END(u);
  CHK(!(r1 == 1 && r2 == 0));
  return 0;
}
