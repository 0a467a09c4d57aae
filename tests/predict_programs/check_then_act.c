// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: hb
// heddle: atomicity 16,25,20
//
// No race, yet not atomic: what was found under the lock need not hold when the
// lock is taken again.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int stock = 3, sold;

static void *sell(void *unused) {
  pthread_mutex_lock(&l);
  const int there = stock > 0;
  pthread_mutex_unlock(&l);
  if (!there) return unused;
  pthread_mutex_lock(&l);
  stock = stock - 1;
  pthread_mutex_unlock(&l); sold = 1; return unused;
}

static void *clear(void *unused) {
  pthread_mutex_lock(&l); stock = 0; pthread_mutex_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, sell, NULL);
  pthread_create(&two, NULL, clear, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
