// SPDX-License-Identifier: Apache-2.0
//
// Two threads wait for the end of a third one: only one of them gets what it returned.
//
// heddle-check: all=violated finding=misuse reduce=learn,mcr,dpor
// heddle-check: all=violated finding=assertion reduce=learn,dpor
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t worker;

static void *work(void *unused) { return unused; }

static void *join_it(void *unused) {
  pthread_join(worker, NULL);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&other, NULL, join_it, NULL);
  const int error = pthread_join(worker, NULL);
  pthread_join(other, NULL);
  assert(error == 0);
  return 0;
}
