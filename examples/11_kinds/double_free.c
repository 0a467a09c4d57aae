// SPDX-License-Identifier: Apache-2.0
//
// Two users count down, and then look at the counter: both may take themselves for the last one.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static int* shared;

static void* leave(void* unused) {
  atomic_fetch_sub(&users, 1);
  if (atomic_load(&users) == 0) free(shared);
  return unused;
}

int main(void) {
  pthread_t thread;
  shared = malloc(sizeof *shared);
  pthread_create(&thread, NULL, leave, NULL);
  leave(NULL);
  pthread_join(thread, NULL);
  return 0;
}
