// SPDX-License-Identifier: Apache-2.0
//
// The readers and the writer of rwlock-peer.c by hand: a mutex guards (readers,
// writer); an entrant that finds the door shut tries again, K times in all. With
// -DCHECK each reader asserts that it sees both stores of the writer or none.
//
// heddle-check: all=holds classes=68
// heddle-check: cflags='-DN=3' all=holds classes=1380 test=no
// heddle-check: cflags='-DCHECK' all=holds classes=68
#include "peers.h"

sh x, y;
int readers, writer;
pthread_mutex_t m;

void *rd(void *a) {
  for (int k = 0; k < K; k++) {
    pthread_mutex_lock(&m);
    int in = !writer;
    if (in) readers++;
    pthread_mutex_unlock(&m);
    if (!in) continue;
    int u = LD(x), v = LD(y);
    CHK(u == v);
    pthread_mutex_lock(&m);
    readers--;
    pthread_mutex_unlock(&m);
    return NULL;
  }
  return NULL;
}

void *wr(void *a) {
  for (int k = 0; k < K; k++) {
    pthread_mutex_lock(&m);
    int in = !writer && readers == 0;
    if (in) writer = 1;
    pthread_mutex_unlock(&m);
    if (!in) continue;
    ST(x, 1);
    ST(y, 1);
    pthread_mutex_lock(&m);
    writer = 0;
    pthread_mutex_unlock(&m);
    return NULL;
  }
  return NULL;
}

int main(void) {
  pthread_t p, t[N];
  pthread_mutex_init(&m, NULL);
  GO(p, wr, NULL);
  for (int i = 0; i < N; i++)
    GO(t[i], rd, NULL);
  END(p);
  for (int i = 0; i < N; i++)
    END(t[i]);
  return 0;
}
