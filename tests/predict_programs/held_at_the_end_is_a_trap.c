// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: recipe
// heddle: hb
//
// The second thread never gives its lock back: its section cannot come before the
// first thread's, and after it happens-before holds.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int y, z;

static void *first(void *unused) {
  y = 1;
  pthread_mutex_lock(&l);
  z = 1;
  pthread_mutex_unlock(&l);
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&l);
  if (z == 1) y = 2;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
