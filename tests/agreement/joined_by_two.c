// SPDX-License-Identifier: Apache-2.0
//
// Two threads join one. Whoever is second is told that there is no such thread.
//
// agree: violated misuse
#include <pthread.h>

static pthread_t joined;

static void* end(void* unused) { return unused; }
static void* join(void* unused) {
  pthread_join(joined, 0);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&joined, 0, end, 0);
  pthread_create(&other, 0, join, 0);
  pthread_join(joined, 0);
  pthread_join(other, 0);
  return 0;
}
