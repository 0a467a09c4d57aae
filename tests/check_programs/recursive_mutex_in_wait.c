// SPDX-License-Identifier: Apache-2.0
//
// A wait for a condition gives a recursive mutex back once: locked twice, it stays held,
// and the thread that would signal never gets it. POSIX says so, too. One that signals
// without it, while the time of the wait runs, finds it locked.
//
// heddle-check: all=violated finding=deadlock
// heddle-check: cflags='-DDEPTH=1' all=holds
// heddle-check: cflags='-DWITHOUT' all=holds reduce=learn,dpor
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#ifndef DEPTH
#define DEPTH 2
#endif

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_bool is_ready, is_waiting;

#ifdef WITHOUT
static void *signal_it(void *unused) {
  is_ready = 1;
  pthread_cond_signal(&condition);
  if (is_waiting && pthread_mutex_trylock(&mutex) == 0) assert(!is_waiting);
  return unused;
}
#else
static void *signal_it(void *unused) {
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}
#endif

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, signal_it, NULL);
  for (int i = 0; i < DEPTH; ++i) pthread_mutex_lock(&mutex);
  is_waiting = 1;
#ifdef WITHOUT
  const struct timespec end = {4000000000, 0};
  if (!is_ready) pthread_cond_timedwait(&condition, &mutex, &end);
#else
  while (!is_ready) pthread_cond_wait(&condition, &mutex);
#endif
  is_waiting = 0;
  for (int i = 0; i < DEPTH; ++i) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
