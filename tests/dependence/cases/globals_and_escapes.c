// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
static int x, y, z, *where;
static _Thread_local int own;
static void keep(int *pointer) { where = pointer; }
int main(void) {
  int a = heddle_nondet_int(0, 2);  // from a
  int b = heddle_nondet_int(0, 2);  // from b
  int local = 0, other = b;
  keep(&local);
  *where = a;                       // on a, not b
  x = local;                        // memory a, not b
  keep(&other);
  y = other;                        // memory a, memory b
  own = b;
  z = own;                          // on b, not a
  return 0;
}
