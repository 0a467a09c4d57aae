// SPDX-License-Identifier: Apache-2.0
//
// Mutexes in memory that is neither the program's data nor its heap.
//
// agree: violated deadlock
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t *first, *second;

static void* lock_both(void* unused) {
  pthread_mutex_lock(second);
  pthread_mutex_lock(first);
  pthread_mutex_unlock(first);
  pthread_mutex_unlock(second);
  return unused;
}

int main(void) {
  pthread_t thread;
  first = sbrk(4096);
  second = first + 1;
  pthread_mutex_init(first, 0);
  pthread_mutex_init(second, 0);
  pthread_create(&thread, 0, lock_both, 0);
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  pthread_join(thread, 0);
  return 0;
}
