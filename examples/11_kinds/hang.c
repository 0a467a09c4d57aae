// SPDX-License-Identifier: Apache-2.0
//
// Waits for a thread that never ends.
#include <pthread.h>
#include <unistd.h>

static void* waits(void* unused) {
  for (;;) sleep(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  pthread_join(thread, 0);
  return 0;
}
