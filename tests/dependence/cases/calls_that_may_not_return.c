// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <stdlib.h>
static int v, w, x, y, z;
static void check(int value) { if (value == 2) exit(3); }
static void deep(int value) { check(value + 1); }
static void fine(int value) { if (value == 2) v = 1; }  // on d
int main(void) {
  int a = heddle_nondet_int(0, 2);  // from a, steers a
  int b = heddle_nondet_int(0, 1);  // from b, steers b
  int c = heddle_nondet_int(1, 2);  // from c, steers c
  int d = heddle_nondet_int(1, 2);  // from d
  fine(d);
  v = 0;                            // not a, not b, not c, not d
  check(a);
  w = 1;                            // on a, not b, not c, not d
  deep(b);
  x = 1;                            // on a, on b, not c, not d
  y = 12 / (c - 1);                 // on a, on b, on c, not d
  heddle_assume(d == 1);
  z = 1;                            // on a, on b, on c, on d
  return 0;
}
