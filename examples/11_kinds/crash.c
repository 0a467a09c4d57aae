// SPDX-License-Identifier: Apache-2.0
//
// The count is reset while another thread divides by it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count = 4;

static void* reset(void* unused) {
  atomic_store(&count, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reset, NULL);
  int share = 0;
  if (atomic_load(&count) != 0) share = 100 / atomic_load(&count);
  pthread_join(thread, NULL);
  return share > 100;
}
