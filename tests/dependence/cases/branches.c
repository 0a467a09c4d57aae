// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
static int x, y, z;
int main(void) {
  int a = heddle_nondet_int(0, 2);  // from a
  int b = heddle_nondet_int(0, 2);  // from b does-not-steer b
  if (a > 1)                        // steers a
    x = 1;                          // on a, not b
  y = b;                            // on b, not a
  z = a > 1 ? b : 3;                // on a, on b
  return 0;
}
