// SPDX-License-Identifier: Apache-2.0
//
// The C library looks into the semaphore.
//
// agree: violated null-dereference
#include <semaphore.h>

int main(void) {
  sem_t* nowhere = 0;
  return sem_wait(nowhere);
}
