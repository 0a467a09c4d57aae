// SPDX-License-Identifier: Apache-2.0
// sem_timedwait and sem_clockwait on an empty semaphore fail with ETIMEDOUT, on a full one they succeed.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
// heddle: contains sem-timedwait >=1
// heddle: contains sem-trywait >=2
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
  sem_t semaphore;
  struct timespec past = {1, 0}, soon;
  assert(sem_init(&semaphore, 0, 1) == 0);
  assert(sem_timedwait(&semaphore, &past) == 0);
  errno = 0;
  assert(sem_timedwait(&semaphore, &past) == -1 && errno == ETIMEDOUT);
  assert(clock_gettime(CLOCK_MONOTONIC, &soon) == 0);
  soon.tv_nsec += 1000000;
  if (soon.tv_nsec >= 1000000000) {
    soon.tv_sec++;
    soon.tv_nsec -= 1000000000;
  }
  errno = 0;
  assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &soon) == -1 && errno == ETIMEDOUT);
  assert(sem_destroy(&semaphore) == 0);
  return 0;
}
