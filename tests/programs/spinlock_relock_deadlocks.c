// SPDX-License-Identifier: Apache-2.0
// A thread that takes a spin lock it already holds never gets it.
// heddle: expect deadlock
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;

static void update(void) {
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
}

int main(void) {
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_spin_lock(&lock);
  update();
  pthread_spin_unlock(&lock);
  return 0;
}
