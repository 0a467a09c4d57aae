// SPDX-License-Identifier: Apache-2.0
//
// A thread waits for ever for an adaptive mutex that it holds itself.
//
// agree: violated deadlock
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
