// SPDX-License-Identifier: Apache-2.0
//
// One writer and N readers of one variable: 2^N classes, for each reader comes
// before or after the write, and nothing else differs. It shows what each further
// thread costs.
//
// -DN=... readers.
//
// heddle-check: cflags='-DN=2' all=holds classes=4
// heddle-check: cflags='-DN=3' all=holds classes=8 test=no
// heddle-check: cflags='-DN=4' all=holds classes=16
// heddle-check: cflags='-DN=5' all=holds classes=32 test=no
// heddle-check: cflags='-DN=6' all=holds classes=64 test=no
// heddle-check: cflags='-DN=7' all=holds classes=128 test=no
// heddle-check: cflags='-DN=8' all=holds classes=256 test=no
#include "paper.h"

#ifndef N
#define N 2
#endif

static shared_int x;

static void *write_once(void *unused) {
  WRITE(x, 1);
  return unused;
}

static void *read_once(void *unused) {
  (void)READ(x);
  return unused;
}

int main(void) {
  pthread_t writer, reader[N];
  START(writer, write_once, 0);
  for (int i = 0; i < N; i++) START(reader[i], read_once, 0);
  JOIN(writer);
  for (int i = 0; i < N; i++) JOIN(reader[i]);
  return 0;
}
