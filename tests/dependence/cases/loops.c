// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
static int x, y, z, w;
int main(void) {
  int a = heddle_nondet_int(0, 3);  // from a, steers a
  int b = heddle_nondet_int(0, 1);  // from b, steers b
  int sum = 0;
  for (int i = 0; i < a; ++i) {
    x = 1;  // on a, not b
    sum += i;
  }
  y = 2;    // not a, not b
  z = sum;  // on a, not b
  for (int i = 0; i != 6 && b < 2;) i += b ? 2 : 3;  // ends, but nothing says so
  w = 3;    // on b, not a
  return 0;
}
