// SPDX-License-Identifier: Apache-2.0
//
// A thread ends the whole program while others are at work. With code 0 that is
// an end like any other; any other code is a finding.
//
// heddle-bad: exit=0 says='' seconds=20
// heddle-bad: cflags='-DCODE=3' exit=1 says='exit' seconds=20
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef CODE
#define CODE 0
#endif

static atomic_int x;

static void *leave(void *unused) {
  if (atomic_load(&x) == 1) exit(CODE);
  return unused;
}

static void *work(void *unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, leave, NULL);
  pthread_create(&two, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
