// SPDX-License-Identifier: Apache-2.0
// A mutex may be destroyed and initialised again, with another kind, and its memory used for other things between.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains mutex-init >=2
// heddle: contains mutex-destroy >=2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  pthread_mutexattr_t recursive;
  pthread_mutex_t* mutex = malloc(sizeof *mutex);
  assert(mutex != NULL);
  assert(pthread_mutex_init(mutex, NULL) == 0);
  assert(pthread_mutex_lock(mutex) == 0);
  assert(pthread_mutex_unlock(mutex) == 0);
  assert(pthread_mutex_destroy(mutex) == 0);
  memset(mutex, 0x5a, sizeof *mutex);
  assert(pthread_mutexattr_init(&recursive) == 0);
  assert(pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutex_init(mutex, &recursive) == 0);
  assert(pthread_mutex_lock(mutex) == 0);
  assert(pthread_mutex_lock(mutex) == 0);
  assert(pthread_mutex_unlock(mutex) == 0);
  assert(pthread_mutex_unlock(mutex) == 0);
  assert(pthread_mutex_destroy(mutex) == 0);
  free(mutex);
  return 0;
}
