// SPDX-License-Identifier: Apache-2.0
//
// A vector of free ('F') and allocated ('A') blocks. Looking for a free block and
// taking it are two critical sections, so two threads may find the same block;
// the second to take it notices, and ends (every memory model).
//
// -DSIZE=... blocks (published: 4, 8, 40).
//
// heddle-check: all=violated finding=assertion classes=16
// heddle-check: cflags='-DSIZE=8' all=violated finding=assertion classes=16
// heddle-check: cflags='-DSIZE=40' all=violated finding=assertion classes=16 test=no
// heddle-check: cflags='-DPLAIN' options='--races' all=violated finding=assertion without=race
#include "paper.h"

#ifndef SIZE
#define SIZE 4
#endif

static shared_char block[SIZE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int find_free(void) {
  int i = 0;
  LOCK(mutex);
  while (i < SIZE && READ(block[i]) != 'F') i++;
  UNLOCK(mutex);
  return i;
}

static int take(int i) {
  int taken = 0;
  LOCK(mutex);
  if (READ(block[i]) == 'A')
    BUG_HAPPENED();
  else {
    WRITE(block[i], 'A');
    taken = 1;
  }
  UNLOCK(mutex);
  return taken;
}

static void *allocate(void *unused) {
  for (int round = 0; round < 2; round++)
    if (!take(find_free())) return unused;
  return unused;
}

int main(void) {
  pthread_t one, two;
  for (int i = 0; i < SIZE; i++) WRITE(block[i], 'F');
  START(one, allocate, 0);
  START(two, allocate, 0);
  JOIN(one);
  JOIN(two);
  ASSERT_NO_BUG();
  return 0;
}
