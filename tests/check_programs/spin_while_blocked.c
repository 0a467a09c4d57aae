// SPDX-License-Identifier: Apache-2.0
//
// One thread holds the lock and waits for a flag; the other must take the lock
// to set it. One spins, one is blocked, nothing can change: that is a livelock,
// although most of it is a deadlock. If the other is first, all is well.
//
// heddle-check: all=violated finding=livelock executions=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *await_with_lock(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!atomic_load(&flag)) {
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *set_with_lock(void *unused) {
  pthread_mutex_lock(&mutex);
  atomic_store(&flag, 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, await_with_lock, NULL);
  pthread_create(&two, NULL, set_with_lock, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
