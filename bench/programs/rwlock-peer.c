// SPDX-License-Identifier: Apache-2.0
//
// N readers, 1 writer, pthread_rwlock. With -DCHECK each reader asserts that it
// sees both stores of the writer or none.
//
// heddle-check: all=holds classes=4
// heddle-check: cflags='-DN=3' all=holds classes=8
// heddle-check: cflags='-DCHECK' all=holds classes=4
#include "peers.h"

sh x, y;
pthread_rwlock_t l;

void *rd(void *a) {
  pthread_rwlock_rdlock(&l);
  int u = LD(x), v = LD(y);
  CHK(u == v);
  pthread_rwlock_unlock(&l);
  return NULL;
}

void *wr(void *a) {
  pthread_rwlock_wrlock(&l);
  ST(x, 1);
  ST(y, 1);
  pthread_rwlock_unlock(&l);
  return NULL;
}

int main(void) {
  pthread_t w, t[N];
  pthread_rwlock_init(&l, NULL);
  GO(w, wr, NULL);
  for (int i = 0; i < N; i++)
    GO(t[i], rd, NULL);
  END(w);
  for (int i = 0; i < N; i++)
    END(t[i]);
  return 0;
}
