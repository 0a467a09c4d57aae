// SPDX-License-Identifier: Apache-2.0
// heddle: recipe 13,20 14,21 15,20
// heddle: mcm 13,20 15,20
//
// Any y > 2 leads to 1 / x: figure 1 of the RECIPE paper. In the maximal causal
// model y = 5, and with it x = 1, stays before the branch.
#include <pthread.h>

static int x = 1, y, z = 2;

static void *write_all(void *unused) {
  // y, then x, then y again
  y = 3;
  x = 1;
  y = 5;
  return unused;
}

static void *divide(void *unused) {
  const int large = y > z;
  if (large) z = 1 / x;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_all, NULL);
  pthread_create(&two, NULL, divide, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
