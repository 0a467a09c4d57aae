// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
static int x, y, z, w;
static int twice(int v) { return 2 * v; }
static int first(int v, int unused) { (void)unused; return v; }
static void store(int *where, int v) { *where = v; }  // on a
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int main(void) {
  int a = heddle_nondet_int(0, 2);  // from a
  int b = heddle_nondet_int(0, 2);  // from b
  x = twice(a);                     // on a, not b
  y = first(b, a);                  // on b, not a
  store(&w, a);
  z = even(b);                      // on b, not a
  return 0;
}
