// SPDX-License-Identifier: Apache-2.0
// heddle: recipe 21,31 21,33
// heddle: mcm
//
// The run takes the first side of the branch. Had y been read earlier, the other
// side would have read x: figure 1 of the RECIPE paper, its races (2,5) and (2,7).
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x = 1, y, z = 2, result;

static void set_y(int value) {
  pthread_mutex_lock(&l);
  y = value;
  pthread_mutex_unlock(&l);
}

static void *write_all(void *unused) {
  set_y(3);
  // between two values of y
  x = 1;
  set_y(5);
  return unused;
}

static void *divide(void *unused) {
  pthread_mutex_lock(&l);
  const int seen = y;
  pthread_mutex_unlock(&l);
  if (seen > z)
    result = 1 / x;
  else
    result = 2 / x;
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
