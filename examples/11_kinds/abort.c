// SPDX-License-Identifier: Apache-2.0
//
// The program itself notices that both threads were inside, and gives up.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int inside;

static void* enter(void* unused) {
  if (atomic_fetch_add(&inside, 1) != 0) abort();
  atomic_fetch_sub(&inside, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, enter, NULL);
  enter(NULL);
  pthread_join(thread, NULL);
  return 0;
}
