// SPDX-License-Identifier: Apache-2.0
// A robust mutex tells the next owner that the last one ended inside; made consistent, it works on.
// heddle: expect unsupported
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void* careless(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_t thread;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  assert(pthread_create(&thread, NULL, careless, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
