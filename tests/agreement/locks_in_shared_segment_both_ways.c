// SPDX-License-Identifier: Apache-2.0
//
// Mutexes in a shared segment of System V, locked in both orders.
//
// agree: violated deadlock
#define _DEFAULT_SOURCE
#include <sys/ipc.h>
#include <sys/shm.h>

#include "two_locks.h"

int main(void) {
  const int segment = shmget(IPC_PRIVATE, 4096, 0600);
  void* memory = shmat(segment, 0, 0);
  shmctl(segment, IPC_RMID, 0);  // goes with the process
  return two_locks_in(memory, true);
}
