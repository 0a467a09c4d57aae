// SPDX-License-Identifier: Apache-2.0
//
// Bounded buffer of 1 slot, condvars, 1 producer x N items, 1 consumer x N
// items.
//
// heddle-check: all=holds
// heddle-check: cflags='-DN=4' all=holds
// heddle-check: cflags='-DCHECK' all=holds
#include "peers.h"

pthread_mutex_t m;
pthread_cond_t ne, nf;
int slot, full;

void *prod(void *a) {
  for (int i = 1; i <= N; i++) {
    pthread_mutex_lock(&m);
    while (full)
      pthread_cond_wait(&nf, &m);
    slot = i;
    full = 1;
    pthread_cond_signal(&ne);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

void *cons(void *a) {
  for (int i = 1; i <= N; i++) {
    pthread_mutex_lock(&m);
    while (!full)
      pthread_cond_wait(&ne, &m);
    CHK(slot == i);
    full = 0;
    pthread_cond_signal(&nf);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_mutex_init(&m, NULL);
  pthread_cond_init(&ne, NULL);
  pthread_cond_init(&nf, NULL);
  GO(t, prod, NULL);
  GO(u, cons, NULL);
  END(t);
  END(u);
  return 0;
}
