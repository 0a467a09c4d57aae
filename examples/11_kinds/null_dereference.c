// SPDX-License-Identifier: Apache-2.0
//
// The pointer is looked at, reset by another thread, and followed.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 1;
static int* _Atomic current = &value;

static void* reset(void* unused) {
  atomic_store(&current, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reset, NULL);
  const int seen = atomic_load(&current) ? *atomic_load(&current) : 1;
  pthread_join(thread, NULL);
  return seen != 1;
}
