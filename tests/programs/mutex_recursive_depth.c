// SPDX-License-Identifier: Apache-2.0
// A recursive mutex is free for others only after as many unlocks as locks.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int expected;

static void* probe(void* argument) {
  int code = pthread_mutex_trylock(&mutex);
  assert(code == expected);
  if (code == 0) assert(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}

static void probe_in_thread(int code) {
  pthread_t thread;
  expected = code;
  assert(pthread_create(&thread, NULL, probe, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
}

int main(void) {
  pthread_mutexattr_t attributes;
  int type = -1;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_gettype(&attributes, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  assert(pthread_mutexattr_destroy(&attributes) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_trylock(&mutex) == 0);
  for (int i = 0; i < 4; i++) {
    probe_in_thread(EBUSY);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  probe_in_thread(0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
