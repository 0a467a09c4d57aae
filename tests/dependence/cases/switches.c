// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
static int x, y, z, w;
int main(void) {
  int a = heddle_nondet_int(0, 4);  // from a, steers a
  int b = 0;
  switch (a) {
    case 0: x = 1; break;           // on a
    case 1: y = 1;                  // on a
    case 2: b = 7; break;
    case 3: return 1;
    default: break;
  }
  z = b;                            // on a
  w = 1;                            // on a
  return 0;
}
