// SPDX-License-Identifier: Apache-2.0
//
// 2 threads x N unprotected increments (load, store). With -DCHECK main asserts
// that no update was lost, which fails under every memory model.
//
// heddle-check: cflags='-DN=2' all=holds classes=15
// heddle-check: cflags='-DN=3' all=holds classes=87
// heddle-check: cflags='-DN=4' all=holds classes=533
// heddle-check: cflags='-DN=5' all=holds classes=3375 test=no
// heddle-check: cflags='-DN=1 -DCHECK' all=violated finding=assertion classes=3
#include "peers.h"

sh x;

void *p(void *a) {
  for (int i = 0; i < N; i++)
    ST(x, LD(x) + 1);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  GO(t, p, NULL);
  GO(u, p, NULL);
  END(t);
  END(u);
  CHK(LD(x) == 2 * N);
  return 0;
}
