// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: recipe
// heddle: hb
//
// The twin of race_hidden_by_locks.c: without the first locked x = 1, x > 0 is
// seen only after the second, and so after y = 1.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *write_once(void *unused) {
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
  pthread_create(&one, NULL, write_once, NULL);
  pthread_create(&two, NULL, write_if, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
