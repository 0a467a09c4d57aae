// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: hb
// heddle: atomicity
//
// The twin of check_then_act.c: the lock is held throughout.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int stock = 3, sold;

static void *sell(void *unused) {
  pthread_mutex_lock(&l);
  const int there = stock > 0;
  if (there) stock = stock - 1;
  pthread_mutex_unlock(&l);
  if (there) sold = 1;
  return unused;
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
