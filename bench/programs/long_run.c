// SPDX-License-Identifier: Apache-2.0
//
// Long executions of which little matters: two threads go over rows of their own,
// in memory that the other could reach, and then increase one variable that both
// use. About N operations. -DLOCKS: ten times on the way each also increases a
// variable under a lock. bench/check/long_runs.
//
// heddle-check: cflags='-DN=400' all=holds classes=3
// heddle-check: cflags='-DN=4000' all=holds classes=3 test=no
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1000
#endif

static _Atomic int racy, rows[2][64];
#ifdef LOCKS
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int guarded;
#endif

static void *work(void *which) {
  _Atomic int *row = rows[which != 0];
  for (int i = 0; i < N / 4; i++) {
    row[i % 64] = row[i % 64] + 1;
#ifdef LOCKS
    if (i % (N / 40) == 0) {
      pthread_mutex_lock(&mutex);
      guarded++;
      pthread_mutex_unlock(&mutex);
    }
#endif
  }
  atomic_store_explicit(&racy, atomic_load_explicit(&racy, memory_order_relaxed) + 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t thread[2];
  for (long i = 0; i < 2; i++) pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
  return 0;
}
