// SPDX-License-Identifier: Apache-2.0
// Unlocking a normal mutex that nobody holds is undefined behaviour.
// heddle: expect misuse
// heddle: schedules all
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void release_twice(void) {
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutex_lock(&mutex);
  release_twice();
  return 0;
}
