// SPDX-License-Identifier: Apache-2.0
// A named semaphore lives outside the process, where the schedule has no say.
// heddle: expect unsupported
// heddle: schedules all
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
  sem_t* semaphore = sem_open("/heddle_test_semaphore", O_CREAT, 0600, 1);
  assert(semaphore != SEM_FAILED);
  assert(sem_wait(semaphore) == 0);
  assert(sem_post(semaphore) == 0);
  assert(sem_close(semaphore) == 0);
  assert(sem_unlink("/heddle_test_semaphore") == 0);
  return 0;
}
