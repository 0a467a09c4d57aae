// SPDX-License-Identifier: Apache-2.0
// heddle: mcm 16,21 14,21
// heddle: hb 16,21
//
// y races; x = 1 and 1 / x are ordered by what that race let the second thread
// read, so nothing is known about them: (15, 22) is no finding of mcm, and hb lists
// it as unproved. Between the first y = 3 and the test there is a race too.
#include <pthread.h>

static int x = 1, y, z = 2;

static void *write_all(void *unused) {
  y = 3;
  x = 1;
  y = 5;
  return unused;
}

static void *divide(void *unused) {
  const int large = y > 4;
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
