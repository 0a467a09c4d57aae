// SPDX-License-Identifier: Apache-2.0
//
// Unlocked by a thread that does not hold it, a normal mutex lets a third one in.
//
// agree: violated misuse assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void* intrude(void* unused) {
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  inside = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, intrude, 0);
  pthread_join(thread, 0);
  assert(!inside);
  pthread_mutex_unlock(&mutex);
  return 0;
}
