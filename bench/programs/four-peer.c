// SPDX-License-Identifier: Apache-2.0
//
// Two independent pairs of a writer and a reader: four classes, although there
// are many more interleavings.
//
// heddle-check: all=holds classes=4
#include "peers.h"

sh x, y;
int r1, r2;

void *p(void *a) {
  ST(x, 1);
  return NULL;
}

void *q(void *a) {
  r1 = LD(x);
  return NULL;
}

void *r(void *a) {
  ST(y, 1);
  return NULL;
}

void *s(void *a) {
  r2 = LD(y);
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
  return 0;
}
