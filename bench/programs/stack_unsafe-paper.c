// SPDX-License-Identifier: Apache-2.0
//
// A stack under one lock, pushed SIZE times by one thread and popped SIZE times
// by another. The popper asks a flag "something was pushed" that is never taken
// back, so two pops after one push find the stack empty (every memory model).
// A thread that finds the error ends. -DSAFE asks whether the stack is empty.
//
// -DSIZE=... (published: 10).
//
// heddle-check: all=violated finding=assertion classes=6
// heddle-check: cflags='-DSIZE=3' all=violated finding=assertion classes=18
// heddle-check: cflags='-DSAFE' all=holds classes=6
// heddle-check: cflags='-DSAFE -DSIZE=3' all=holds classes=20
// heddle-check: cflags='-DSAFE -DPLAIN' options='--races' all=holds
// heddle-check: cflags='-DSIZE=5' all=violated finding=assertion classes=166
// heddle-check: cflags='-DSIZE=10' all=violated finding=assertion test=no
#include "paper.h"

#ifndef SIZE
#define SIZE 2
#endif

static shared_int top, flag, element[SIZE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *unused) {
  for (int i = 0; i < SIZE; i++) {
    LOCK(mutex);
    if (READ(top) == SIZE) {
      BUG_HAPPENED();
      UNLOCK(mutex);
      return unused;
    }
    WRITE(element[READ(top)], i);
    WRITE(top, READ(top) + 1);
    WRITE(flag, 1);
    UNLOCK(mutex);
  }
  return unused;
}

static void *pop(void *unused) {
  for (int i = 0; i < SIZE; i++) {
    LOCK(mutex);
#ifdef SAFE
    if (READ(top) > 0) {
#else
    if (READ(flag)) {
#endif
      if (READ(top) == 0) {
        BUG_HAPPENED();
        UNLOCK(mutex);
        return unused;
      }
      WRITE(top, READ(top) - 1);
      (void)READ(element[READ(top)]);
    }
    UNLOCK(mutex);
  }
  return unused;
}

int main(void) {
  pthread_t pusher, popper;
  START(pusher, push, 0);
  START(popper, pop, 0);
  JOIN(pusher);
  JOIN(popper);
  ASSERT_NO_BUG();
  return 0;
}
