// SPDX-License-Identifier: Apache-2.0
//
// What rand() says depends on who called it before, which no event tells: nothing is
// claimed. Threads that call it one after the other are another matter.
//
// heddle-check: all=undecided reason=not-modelled
// heddle-check: cflags='-DIN_TURN' all=holds
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *draw(void *unused) {
  rand();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, draw, NULL);
#ifdef IN_TURN
  pthread_join(thread, NULL);
  return rand() == 1804289383;
#else
  const int number = rand();
  pthread_join(thread, NULL);
  return number != 1804289383;
#endif
}
