// SPDX-License-Identifier: Apache-2.0
// A semaphore of two lets two in; try fails on zero, post and getvalue agree on the count.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains sem-trywait
// heddle: contains sem-getvalue >=3
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
  sem_t semaphore;
  int value = -1;
  assert(sem_init(&semaphore, 0, 2) == 0);
  assert(sem_getvalue(&semaphore, &value) == 0 && value == 2);
  assert(sem_wait(&semaphore) == 0);
  assert(sem_trywait(&semaphore) == 0);
  assert(sem_getvalue(&semaphore, &value) == 0 && value == 0);
  errno = 0;
  assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  assert(sem_post(&semaphore) == 0);
  assert(sem_post(&semaphore) == 0);
  assert(sem_getvalue(&semaphore, &value) == 0 && value == 2);
  assert(sem_destroy(&semaphore) == 0);
  return 0;
}
