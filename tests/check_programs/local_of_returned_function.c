// SPDX-License-Identifier: Apache-2.0
//
// A thread writes through a pointer into a frame of another thread: its function may have returned by then.
//
// heddle-check: all=violated finding=use-after-free instead=dpor
// heddle-check: cflags='-DJOINED' all=holds
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) place;

static void *write_there(void *unused) {
  int *there = place;
  if (there) *there = 1;
  return unused;
}

static void publish(void) {
  int local = 0;
  place = &local;
#ifdef JOINED
  pthread_t thread;
  pthread_create(&thread, 0, write_there, 0);
  pthread_join(thread, 0);
#endif
  place = 0;
}

int main(void) {
#ifdef JOINED
  publish();
#else
  pthread_t thread;
  pthread_create(&thread, 0, write_there, 0);
  publish();
  pthread_join(thread, 0);
#endif
  return 0;
}
