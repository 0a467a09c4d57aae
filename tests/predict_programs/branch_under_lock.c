// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: recipe 17,28
// heddle: hb
//
// Any y > 2 would do for the branch, but in the maximal causal model a read keeps
// its value: y = 5, and with it x = 1, comes before the branch.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x = 1, y, z = 2;

static void *write_all(void *unused) {
  pthread_mutex_lock(&l);
  y = 3;
  pthread_mutex_unlock(&l);
  x = 1;
  pthread_mutex_lock(&l);
  y = 5;
  pthread_mutex_unlock(&l);
  return unused;
}

static void *divide(void *unused) {
  pthread_mutex_lock(&l);
  const int large = y > z;
  pthread_mutex_unlock(&l);
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
