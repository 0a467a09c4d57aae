// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <setjmp.h>
static int x, y;
static jmp_buf back;
static void leave(int value) { if (value > 1) longjmp(back, 1); }
int main(void) {
  int a = heddle_nondet_int(0, 2);  // from a, steers a
  if (setjmp(back) == 0) {
    leave(a);
    x = 1;                          // on a
  } else {
    y = 1;                          // on a
  }
  return 0;
}
