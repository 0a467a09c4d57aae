// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
static int x, y, z;
static int one(int v) { return v + 1; }
static int two(int v) { x = 5; return v; }      // on a, not b
static int three(int v) { y = v; return v; }    // on b, not a
static int (*const table[])(int) = {one, two};
int main(void) {
  int a = heddle_nondet_int(0, 1);  // from a, steers a
  int b = heddle_nondet_int(0, 2);  // from b, does-not-steer b
  int (*direct)(int) = three;
  z = table[a](0);                  // on a, not b
  z = direct(b);                    // on b, not a
  return 0;
}
