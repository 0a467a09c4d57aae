// SPDX-License-Identifier: Apache-2.0
//
// Independent reads of independent writes: with -DCHECK main asserts that two
// readers see two writes in the same order. Store buffers do not break that.
//
// heddle-check: all=holds classes=15
// heddle-check: cflags='-DCHECK' all=holds classes=15
#include "peers.h"

sh x, y;
int r1, r2, r3, r4;

void *p(void *a) {
  ST(x, 1);
  return NULL;
}

void *q(void *a) {
  ST(y, 1);
  return NULL;
}

void *r(void *a) {
  r1 = LD(x);
  r2 = LD(y);
  return NULL;
}

void *s(void *a) {
  r3 = LD(y);
  r4 = LD(x);
  return NULL;
}

int main(void) {
  pthread_t t, u, v, w;
  GO(t, p, NULL);
  GO(u, q, NULL);
  GO(v, r, NULL);
  GO(w, s, NULL);
  END(t);
  END(u);
  END(v);
  END(w);
  CHK(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
  return 0;
}
