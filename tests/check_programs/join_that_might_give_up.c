// SPDX-License-Identifier: Apache-2.0
//
// A join that does not wait finds its thread ended in every execution that the
// exploration runs, and still it might have come before the end. Such joins are
// not modelled, so the verdict must not be "holds".
//
// heddle-check: all=undecided instead=mcr
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_done;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  is_done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t worker, other;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&other, NULL, nothing, NULL);
  pthread_join(other, NULL);
  pthread_mutex_lock(&mutex);
  const int seen = is_done;
  pthread_mutex_unlock(&mutex);
  if (!seen) return pthread_join(worker, NULL);
  return pthread_tryjoin_np(worker, NULL);  // the worker may be about to end
}
