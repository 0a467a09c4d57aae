// SPDX-License-Identifier: Apache-2.0
//
// The flag that the loop waits for is taken back before the loop has looked.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int go;

static void* wait_for_go(void* unused) {
  while (!atomic_load(&go)) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_go, NULL);
  atomic_store(&go, 1);
  atomic_store(&go, 0);
  pthread_join(thread, NULL);
  return 0;
}
