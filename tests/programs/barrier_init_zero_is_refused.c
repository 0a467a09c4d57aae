// SPDX-License-Identifier: Apache-2.0
// A barrier for no threads is refused with EINVAL; a barrier for one opens at once, always serial.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains barrier-arrive >=2
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  pthread_barrier_t none, one;
  assert(pthread_barrier_init(&none, NULL, 0) == EINVAL);
  assert(pthread_barrier_init(&one, NULL, 1) == 0);
  assert(pthread_barrier_wait(&one) == PTHREAD_BARRIER_SERIAL_THREAD);
  assert(pthread_barrier_wait(&one) == PTHREAD_BARRIER_SERIAL_THREAD);
  assert(pthread_barrier_destroy(&one) == 0);
  return 0;
}
