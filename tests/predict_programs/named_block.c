// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: hb
// heddle: atomicity
//
// Every access is atomic, so there is no race, and no lock says what belongs
// together. With --atomic=transfer the two accesses of transfer do.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int here = 7, there;

static void transfer(void) {
  atomic_store(&there, atomic_load(&here));
  atomic_store(&here, 0);
}

static void *move(void *unused) {
  transfer();
  return unused;
}

static void *reset(void *unused) {
  atomic_store(&here, 7);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, move, NULL);
  pthread_create(&two, NULL, reset, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
