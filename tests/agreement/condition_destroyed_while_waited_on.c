// SPDX-License-Identifier: Apache-2.0
//
// Destroying a condition variable waits until nobody waits for it.
//
// agree: violated deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* wait_once(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_once, 0);
  pthread_cond_destroy(&changed);
  pthread_join(thread, 0);
  return 0;
}
