// SPDX-License-Identifier: Apache-2.0
//
// One account, 4 threads: two deposit, two withdraw. Withdrawals check funds.
// Default: all locked. -DBUG: the second withdrawal forgets the lock. With
// -DCHECK main asserts the balance, which fails with -DBUG under every memory
// model.
//
// heddle-check: all=holds classes=24
// heddle-check: cflags='-DBUG' all=holds classes=78
// heddle-check: cflags='-DCHECK' all=holds classes=24
// heddle-check: cflags='-DBUG -DCHECK' all=violated finding=assertion classes=78
#include "peers.h"

sh bal;
pthread_mutex_t m;

void *d1(void *a) {
  pthread_mutex_lock(&m);
  ST(bal, LD(bal) + 10);
  pthread_mutex_unlock(&m);
  return NULL;
}

void *d2(void *a) {
  pthread_mutex_lock(&m);
  ST(bal, LD(bal) + 20);
  pthread_mutex_unlock(&m);
  return NULL;
}

void *w1(void *a) {
  pthread_mutex_lock(&m);
  int b = LD(bal);
  if (b >= 5) ST(bal, b - 5);
  pthread_mutex_unlock(&m);
  return NULL;
}

#ifdef BUG
void *w2(void *a) {
  int b = LD(bal);
  if (b >= 7) ST(bal, b - 7);
  return NULL;
}
#else
void *w2(void *a) {
  pthread_mutex_lock(&m);
  int b = LD(bal);
  if (b >= 7) ST(bal, b - 7);
  pthread_mutex_unlock(&m);
  return NULL;
}
#endif

int main(void) {
  pthread_t t, u, v, w;
  pthread_mutex_init(&m, NULL);
  ST(bal, 100);
  GO(t, d1, NULL);
  GO(u, d2, NULL);
  GO(v, w1, NULL);
  GO(w, w2, NULL);
  END(t);
  END(u);
  END(v);
  END(w);
  CHK(LD(bal) == 118);
  return 0;
}
