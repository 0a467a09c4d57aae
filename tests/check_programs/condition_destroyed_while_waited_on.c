// SPDX-License-Identifier: Apache-2.0
//
// Destroying a condition variable waits for the threads that wait there: without a signal for ever.
//
// heddle-check: all=violated finding=deadlock
// heddle-check: cflags='-DSIGNAL' all=holds
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_over;

static void *wait_for_it(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!is_over) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_it, NULL);
  pthread_mutex_lock(&mutex);
  is_over = 1;
#ifdef SIGNAL
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(waiter, NULL);
#else
  pthread_mutex_unlock(&mutex);
#endif
  pthread_cond_destroy(&condition);
#ifndef SIGNAL
  pthread_join(waiter, NULL);
#endif
  return 0;
}
