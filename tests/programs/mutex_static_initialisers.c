// SPDX-License-Identifier: Apache-2.0
// The static initialisers give mutexes of the recursive and the error-checking kind without any init call.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

int main(void) {
  assert(pthread_mutex_lock(&normal) == 0);
  assert(pthread_mutex_trylock(&normal) == EBUSY);
  assert(pthread_mutex_unlock(&normal) == 0);

  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);

  assert(pthread_mutex_lock(&checked) == 0);
  assert(pthread_mutex_lock(&checked) == EDEADLK);
  assert(pthread_mutex_unlock(&checked) == 0);
  assert(pthread_mutex_unlock(&checked) == EPERM);

  assert(pthread_mutex_lock(&adaptive) == 0);
  assert(pthread_mutex_trylock(&adaptive) == EBUSY);
  assert(pthread_mutex_unlock(&adaptive) == 0);
  return 0;
}
