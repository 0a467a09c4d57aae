// SPDX-License-Identifier: Apache-2.0
// Unlocking a read-write lock that nobody holds is undefined behaviour.
// heddle: expect misuse
// heddle: schedules all
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void release(int times) {
  while (times-- > 0) pthread_rwlock_unlock(&lock);
}

int main(void) {
  pthread_rwlock_rdlock(&lock);
  release(2);
  return 0;
}
