// SPDX-License-Identifier: Apache-2.0
//
// A thread is about to lock a mutex whose memory another one releases.
//
// agree: violated use-after-free
// agree-undecided: mcr mcr-s se-mcr
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t* mutex;

static void* release(void* unused) {
  free(mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, 0);
  pthread_create(&thread, 0, release, 0);
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  pthread_join(thread, 0);
  return 0;
}
