// SPDX-License-Identifier: Apache-2.0
// heddle: recipe 18,32
// heddle: mcm
//
// The run takes one case; had y been read earlier, another one would have read x. Cases that share
// their code are one side.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x = 1, y, result;

static void set_y(int value) {
  pthread_mutex_lock(&l); y = value; pthread_mutex_unlock(&l);
}

static void *write_all(void *unused) {
  set_y(3);
  x = 1;
  set_y(5);
  return unused;
}

static void *choose(void *unused) {
  pthread_mutex_lock(&l);
  const int seen = y;
  pthread_mutex_unlock(&l);
  switch (seen) {
    case 4:
    case 5: result = 1; break;
    case 2:
    case 3:
      result = 2 / x; break;
    default: result = 0;
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_all, NULL);
  pthread_create(&two, NULL, choose, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
