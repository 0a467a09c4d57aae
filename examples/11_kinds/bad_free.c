// SPDX-License-Identifier: Apache-2.0
//
// The buffer is a static one until another thread has made a larger one; who frees it does not look.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char small[16];
static char* _Atomic buffer = small;

static void* grow(void* unused) {
  atomic_store(&buffer, malloc(64));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, grow, NULL);
  free(atomic_load(&buffer));
  pthread_join(thread, NULL);
  return 0;
}
