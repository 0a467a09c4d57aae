// SPDX-License-Identifier: Apache-2.0
//
// 3 writers (x, y, z), 3 readers. Default: each reader reads one variable.
// -DALL: each reader reads x, y and z.
//
// heddle-check: all=holds classes=8
// heddle-check: cflags='-DALL' all=holds classes=512
#include "peers.h"

sh x, y, z;
int r[9];

void *wx(void *a) {
  ST(x, 1);
  return NULL;
}

void *wy(void *a) {
  ST(y, 1);
  return NULL;
}

void *wz(void *a) {
  ST(z, 1);
  return NULL;
}
#ifdef ALL

void *rx(void *a) {
  r[0] = LD(x);
  r[1] = LD(y);
  r[2] = LD(z);
  return NULL;
}

void *ry(void *a) {
  r[3] = LD(x);
  r[4] = LD(y);
  r[5] = LD(z);
  return NULL;
}

void *rz(void *a) {
  r[6] = LD(x);
  r[7] = LD(y);
  r[8] = LD(z);
  return NULL;
}
#else
void *rx(void *a) {
  r[0] = LD(x);
  return NULL;
}

void *ry(void *a) {
  r[1] = LD(y);
  return NULL;
}

void *rz(void *a) {
  r[2] = LD(z);
  return NULL;
}
#endif

int main(void) {
  pthread_t t[6];
  GO(t[0], wx, NULL);
  GO(t[1], wy, NULL);
  GO(t[2], wz, NULL);
  GO(t[3], rx, NULL);
  GO(t[4], ry, NULL);
  GO(t[5], rz, NULL);
  for (int i = 0; i < 6; i++)
    END(t[i]);
  return 0;
}
