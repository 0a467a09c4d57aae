// SPDX-License-Identifier: Apache-2.0
// heddle: mcm 16,24
// heddle: recipe 16,24
// heddle: hb
//
// The race on d puts the read of f after f = 1; what that read finds then matters
// to nothing before the race, so its value need not be kept.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int d;
static int f;

static void *write_then_look(void *unused) {
  d = 1;
  pthread_mutex_lock(&l); const int seen = f; pthread_mutex_unlock(&l);
  if (seen == 0) { pthread_mutex_lock(&l); f = 0; pthread_mutex_unlock(&l); }
  return unused;
}

static void *set_then_read(void *unused) {
  pthread_mutex_lock(&l); f = 1; pthread_mutex_unlock(&l);
  int r = d;
  (void)r;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_then_look, NULL);
  pthread_create(&two, NULL, set_then_read, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
