// SPDX-License-Identifier: Apache-2.0
//
// Who waits at a barrier that is initialised again waits for its next round.
//
// agree: violated misuse deadlock
// agree-undecided: mcr mcr-s se-mcr
#include <pthread.h>

static pthread_barrier_t barrier;

static void* arrive(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, arrive, 0);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, 0);
  return 0;
}
