// SPDX-License-Identifier: Apache-2.0
//
// A mutex that was destroyed, and gets the static initialiser: it can be used again.
//
// agree: holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;

int main(void) {
  assert(pthread_mutex_init(&mutex, 0) == 0);
  assert(pthread_mutex_destroy(&mutex) == 0);
  mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
