// SPDX-License-Identifier: Apache-2.0
//
// A bank account. Withdrawals take the lock, deposits forget it, so either may be
// lost (every memory model). Depositors and withdrawers are started in turn; main
// reads what is left and fails unless it is what was there.
//
// -DPAIRS=... depositors and as many withdrawers.
//
// heddle-check: cflags='-DPAIRS=1' all=violated finding=assertion classes=4
// heddle-check: all=violated finding=assertion classes=87
// heddle-check: cflags='-DPAIRS=1 -DPLAIN' options='--races' all=violated finding=race
#include "paper.h"

#ifndef PAIRS
#define PAIRS 2
#endif

static shared_int amount;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *unused) {
  WRITE(amount, READ(amount) + 100);
  return unused;
}

static void *withdraw(void *unused) {
  LOCK(mutex);
  WRITE(amount, READ(amount) - 100);
  UNLOCK(mutex);
  return unused;
}

int main(void) {
  pthread_t depositor[PAIRS], withdrawer[PAIRS];
  WRITE(amount, 100);
  for (int i = 0; i < PAIRS; i++) {
    START(depositor[i], deposit, 0);
    START(withdrawer[i], withdraw, 0);
  }
  for (int i = 0; i < PAIRS; i++) {
    JOIN(depositor[i]);
    JOIN(withdrawer[i]);
  }
  assert(READ(amount) == 100);
  return 0;
}
