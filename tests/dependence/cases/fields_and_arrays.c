// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <stdlib.h>
#include <string.h>
struct point { int left, right; };
static int out[8];
static struct point shared;
int main(void) {
  int a = heddle_nondet_int(0, 2);  // from a
  int b = heddle_nondet_int(0, 2);  // from b
  struct point local, copy;
  int array[4] = {0};
  volatile int at = 1;
  struct point *pointer = &local;
  pointer->left = a;
  pointer->right = b;
  out[0] = local.left;              // on a, not b
  out[1] = local.right;             // on b, not a
  array[at & 3] = a;
  out[2] = array[(at + 1) & 3];     // on a, not b
  memcpy(&copy, &local, sizeof copy);
  out[3] = copy.right;              // on b, not a
  out[b] = 1;                       // on b, not a
  shared.left = a;                  // on a, not b
  out[4] = shared.left;             // memory a, not b
  out[5] = shared.right;            // not a, not b
  struct point *heap = malloc(sizeof *heap);  
  heap->left = a;                   // on a, not b
  out[6] = heap->left;              // memory a, not b
  out[7] = heap->right;             // not a, not b
  return 0;
}
