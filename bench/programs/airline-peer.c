// SPDX-License-Identifier: Apache-2.0
//
// N ticket agents, N-1 seats, unsynchronised test-then-sell. With -DCHECK main
// asserts that there was a seat for each ticket, which fails under every memory
// model.
//
// heddle-check: cflags='-DN=3' all=holds classes=22
// heddle-check: cflags='-DN=4' all=holds classes=133
// heddle-check: cflags='-DN=5' all=holds classes=1026 test=no
// heddle-check: cflags='-DN=3 -DCHECK' all=violated finding=assertion classes=22
#include "peers.h"

sh sold, stop;

void *agent(void *a) {
  if (!LD(stop)) {
    int s = LD(sold) + 1;
    ST(sold, s);
    if (s >= N - 1) ST(stop, 1);
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    GO(t[i], agent, NULL);
  for (int i = 0; i < N; i++)
    END(t[i]);
  CHK(LD(sold) <= N - 1);
  return 0;
}
