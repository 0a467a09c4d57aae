// SPDX-License-Identifier: Apache-2.0
// heddle: recipe 22,32
// heddle: mcm
//
// What is written first is the sum of a loop, 3, which leads to the branch as
// well as the 5 that was read: figure 3 of the RECIPE paper, with y under a lock.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x, y, result, step = 1;

static void set_y(int value) {
  pthread_mutex_lock(&l);
  y = value;
  pthread_mutex_unlock(&l);
}

static void *add_up(void *unused) {
  int sum = 0;
  for (int i = 1; i < 3; i++) sum += i * step;
  set_y(sum);
  x = 1;
  set_y(5);
  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&l);
  const int seen = y;
  pthread_mutex_unlock(&l);
  if (seen > 2)
    result = x + 1;
  else
    result = 2;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add_up, NULL);
  pthread_create(&two, NULL, look, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
