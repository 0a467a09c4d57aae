// SPDX-License-Identifier: Apache-2.0
//
// The index is looked at, moved on by another thread, and used.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next = 3;

static void* advance(void* unused) {
  atomic_fetch_add(&next, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  int* table = calloc(4, sizeof *table);
  pthread_create(&thread, NULL, advance, NULL);
  if (atomic_load(&next) < 4) table[atomic_load(&next)] = 1;
  pthread_join(thread, NULL);
  free(table);
  return 0;
}
