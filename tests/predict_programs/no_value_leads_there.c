// SPDX-License-Identifier: Apache-2.0
// heddle: recipe
// heddle: mcm
//
// The value that is written first does not lead to the branch: no race.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x, y, result;

static void set_y(int value) {
  pthread_mutex_lock(&l);
  y = value;
  pthread_mutex_unlock(&l);
}

static void *write_all(void *unused) {
  set_y(2);
  x = 1;
  set_y(5);
  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&l);
  const int seen = y * y;
  pthread_mutex_unlock(&l);
  if (seen > 4) result = x;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_all, NULL);
  pthread_create(&two, NULL, look, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
