// SPDX-License-Identifier: Apache-2.0
//
// A thread that asks again for a mutex that it has: a timed lock runs out, one of a
// recursive mutex goes deeper, and neither depends on the other threads.
//
// heddle-check: all=holds classes=14
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static atomic_int x, y;

static void *write_both(void *unused) {
  x = 1;
  y = x + 1;
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  x = y + 2;
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_both, NULL);
  const struct timespec soon = {1, 0};
  const int before = x;
  pthread_mutex_lock(&plain);
  const int between = y;
  assert(pthread_mutex_timedlock(&plain, &soon) == ETIMEDOUT);
  pthread_mutex_lock(&recursive);
  assert(pthread_mutex_timedlock(&recursive, &soon) == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  y = before + between + x;
  pthread_mutex_unlock(&plain);
  pthread_join(thread, NULL);
  return 0;
}
