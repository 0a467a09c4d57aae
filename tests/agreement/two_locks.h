// SPDX-License-Identifier: Apache-2.0
//
// Two threads lock two mutexes, which lie in memory that the program asked for: in one
// order or, if it says so, in both.
#ifndef TWO_LOCKS_H
#define TWO_LOCKS_H

#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t *first, *second;
static bool in_both_ways;

static void lock_both(pthread_mutex_t* one, pthread_mutex_t* other) {
  pthread_mutex_lock(one);
  pthread_mutex_lock(other);
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(one);
}

static void* lock_too(void* unused) {
  lock_both(in_both_ways ? second : first, in_both_ways ? first : second);
  return unused;
}

static int two_locks_in(void* memory, bool are_locked_both_ways) {
  pthread_t thread;
  first = memory;
  second = first + 1;
  in_both_ways = are_locked_both_ways;
  pthread_mutex_init(first, 0);
  pthread_mutex_init(second, 0);
  pthread_create(&thread, 0, lock_too, 0);
  lock_both(first, second);
  pthread_join(thread, 0);
  return 0;
}

#endif
