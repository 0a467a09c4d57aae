// SPDX-License-Identifier: Apache-2.0
//
// A wait for a condition gives a recursive mutex back once: locked twice, it stays held,
// and the thread that would signal never gets it. POSIX says so, too.
//
// heddle-check: all=violated finding=deadlock
// heddle-check: cflags='-DDEPTH=1' all=holds
#include <pthread.h>
#include <stddef.h>

#ifndef DEPTH
#define DEPTH 2
#endif

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *signal_it(void *unused) {
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, signal_it, NULL);
  for (int i = 0; i < DEPTH; ++i) pthread_mutex_lock(&mutex);
  while (!is_ready) pthread_cond_wait(&condition, &mutex);
  for (int i = 0; i < DEPTH; ++i) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
