// SPDX-License-Identifier: Apache-2.0
//
// Bubble sort of N+1 descending elements; 2 threads each make one unprotected
// full sort over the shared array (racy). -DLOCKED: each compare-swap under a
// mutex. With -DCHECK main asserts that the array is sorted; with two elements
// it is even without the lock.
//
// heddle-check: cflags='-DN=1' all=holds classes=7
// heddle-check: all=holds classes=513/543/905
// heddle-check: cflags='-DLOCKED' all=holds classes=16
// heddle-check: cflags='-DN=1 -DCHECK' all=holds classes=7
// heddle-check: cflags='-DCHECK' all=violated finding=assertion
// heddle-check: cflags='-DCHECK -DLOCKED' all=holds classes=16
#include "peers.h"

#define LEN (N + 1)
sh a[LEN];
pthread_mutex_t m;

void *p(void *arg) {
  for (int i = 0; i < LEN - 1; i++)
    for (int j = 0; j < LEN - 1 - i; j++) {
#ifdef LOCKED
      pthread_mutex_lock(&m);
#endif
      int u = LD(a[j]), v = LD(a[j + 1]);
      if (u > v) {
        ST(a[j], v);
        ST(a[j + 1], u);
      }
#ifdef LOCKED
      pthread_mutex_unlock(&m);
#endif
    }
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_mutex_init(&m, NULL);
  for (int i = 0; i < LEN; i++)
    ST(a[i], LEN - i);
  GO(t, p, NULL);
  GO(u, p, NULL);
  END(t);
  END(u);
  for (int i = 0; i < LEN; i++)
    CHK(LD(a[i]) == i + 1);
  return 0;
}
