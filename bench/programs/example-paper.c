// SPDX-License-Identifier: Apache-2.0
//
// An object is published before it is whole: the running example of the published
// reduction for TSO and PSO (Figure 3.9). With N=1 the reader sees a half-written
// pair only if stores to different places are reordered (PSO). From N=2 on the
// next round's first stores show it under SC too.
//
// -DN=... rounds of writer and reader (published: 1 to 4).
//
// heddle-check: cflags='-DN=1' sc=holds tso=holds pso=violated finding=assertion classes=2/2/10 within=-/-/5
// heddle-check: cflags='-DN=2' all=violated finding=assertion classes=16/16/68
// heddle-check: cflags='-DN=3' all=violated finding=assertion classes=98/98/400
// heddle-check: cflags='-DN=4' all=violated finding=assertion classes=544/-/- test=no
#include "paper.h"

#ifndef N
#define N 1
#endif

static shared_int x, y, z;

static void *write_pair(void *unused) {
  for (int i = 0; i < N; i++) {
    WRITE(z, 0);
    WRITE(x, 0);
    WRITE(y, 0);
    WRITE(x, 2);
    WRITE(y, 3);
    WRITE(z, 1);
  }
  return unused;
}

static void *read_pair(void *unused) {
  for (int i = 0; i < N; i++) {
    if (READ(z) == 1) {
      const int first = READ(x), second = READ(y);
      if (first + 1 != second) BUG_HAPPENED();
    }
  }
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  WRITE(x, 1);
  WRITE(y, 2);
  START(writer, write_pair, 0);
  START(reader, read_pair, 0);
  JOIN(writer);
  JOIN(reader);
  ASSERT_NO_BUG();
  return 0;
}
