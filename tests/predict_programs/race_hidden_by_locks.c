// SPDX-License-Identifier: Apache-2.0
// heddle: mcm 15,27
// heddle: recipe 15,27
// heddle: hb
//
// Happens-before misses the race on y: in the run that is seen, the lock orders
// it. The second locked x = 1 is not needed for x > 0.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *write_twice(void *unused) {
  pthread_mutex_lock(&l); x = 1; pthread_mutex_unlock(&l);
  y = 1;
  pthread_mutex_lock(&l);
  x = 1;
  pthread_mutex_unlock(&l);
  return unused;
}

static void *write_if(void *unused) {
  pthread_mutex_lock(&l);
  const int seen = x;
  pthread_mutex_unlock(&l);
  if (seen > 0)
    y = 2;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_twice, NULL);
  pthread_create(&two, NULL, write_if, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
