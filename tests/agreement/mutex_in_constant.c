// SPDX-License-Identifier: Apache-2.0
//
// A mutex in memory that cannot be written.
//
// agree: violated crash
#include <pthread.h>

static const pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock((pthread_mutex_t*)&mutex);
  return 0;
}
