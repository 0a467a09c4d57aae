// SPDX-License-Identifier: Apache-2.0
// Return from main ends the process with main's code, whatever other threads are doing.
// heddle: expect exit 5
// heddle: schedules all
// heddle: contains exit
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int never;

static void* blocked(void* argument) {
  pthread_mutex_lock(&mutex);
  return argument;
}

static void* spinning(void* argument) {
  while (atomic_load(&never) == 0) {
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_create(&threads[0], NULL, blocked, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, spinning, NULL) == 0);
  return 5;
}
