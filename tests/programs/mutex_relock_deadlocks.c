// SPDX-License-Identifier: Apache-2.0
// A thread that locks a normal mutex it already owns waits for itself for ever.
// heddle: expect deadlock
// heddle: schedules all
// heddle: contains mutex-lock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutex_lock(&mutex);
  update();
  pthread_mutex_unlock(&mutex);
  return 0;
}
