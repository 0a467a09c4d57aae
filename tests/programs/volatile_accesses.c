// SPDX-License-Identifier: Apache-2.0
// Every volatile access is made, in order, each time the program says so.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains load >=6
// heddle: contains store >=4
#include <assert.h>
#include <pthread.h>

static volatile int port;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* writer(void* argument) {
  for (int i = 1; i <= 4; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    port = port + i;
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  int first = port, second = port;
  assert(first == second);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(port == 10);
  return 0;
}
