// SPDX-License-Identifier: Apache-2.0
// Waiting on a condition without holding the mutex is undefined behaviour.
// heddle: expect misuse
// heddle: schedules all
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

static int wait_for_event(void) {
  struct timespec past = {1, 0};
  return pthread_cond_timedwait(&event, &mutex, &past);
}

int main(void) {
  wait_for_event();
  return 0;
}
