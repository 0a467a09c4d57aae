// SPDX-License-Identifier: Apache-2.0
//
// In every execution a thread writes to other memory, all in all to more words than a state
// of learned threads can have: they say so.
//
// heddle-check: sc=undecided reason=memory reduce=learn
// heddle-check: sc=holds classes=5 reduce=mcr
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define COUNT 90000

static atomic_int chosen;
static long words[5][COUNT];

static void *fill(void *unused) {
  long *own = words[atomic_load(&chosen)];
  for (int i = 0; i < COUNT; ++i) own[i] = i;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, fill, NULL);
  for (int i = 1; i < 5; ++i) atomic_store(&chosen, i);
  pthread_join(thread, NULL);
  return 0;
}
