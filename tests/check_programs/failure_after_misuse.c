// SPDX-License-Identifier: Apache-2.0
//
// A thread unlocks a mutex that another one holds. The program goes on, as natively, and
// loses an update for it: that is found as well.
//
// heddle-check: all=violated finding=assertion reduce=learn,dpor
// heddle-check: all=violated finding=misuse reduce=learn,mcr,dpor
// heddle-check: cflags='-DOWN' all=holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused) {
  pthread_mutex_lock(&mutex);
  const int before = counter;
  counter = before + 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *meddle(void *unused) {
#ifdef OWN
  pthread_mutex_lock(&mutex);
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, count, NULL);
  pthread_create(&threads[1], NULL, count, NULL);
  pthread_create(&threads[2], NULL, meddle, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(counter == 2);
  return 0;
}
