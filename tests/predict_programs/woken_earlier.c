// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: recipe 23,32
// heddle: hb
//
// In the run that is seen the reader goes on after both signals and reads y = 5. Woken by
// the first one it would have found y = 3, which does as well, and x = 1 is still to come.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int x = 1, y, z;

static void set(int value) {
  pthread_mutex_lock(&l);
  y = value;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&l);
}

static void *write_all(void *unused) {
  set(3);
  x = 1;
  set(5);
  return unused;
}

static void *read_when_set(void *unused) {
  pthread_mutex_lock(&l);
  while (y <= 2) pthread_cond_wait(&changed, &l);
  pthread_mutex_unlock(&l);
  z = x;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, read_when_set, NULL);
  pthread_create(&two, NULL, write_all, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
