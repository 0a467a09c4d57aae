// SPDX-License-Identifier: Apache-2.0
// A spin lock excludes like a mutex; its try variant reports EBUSY while held.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void* worker(void* argument) {
  for (int i = 0; i < 3; i++) {
    assert(pthread_spin_lock(&lock) == 0);
    counter++;
    assert(pthread_spin_unlock(&lock) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_spin_trylock(&lock) == 0);
  assert(pthread_spin_trylock(&lock) == EBUSY);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  assert(counter == 0);
  assert(pthread_spin_unlock(&lock) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(counter == 6);
  assert(pthread_spin_destroy(&lock) == 0);
  return 0;
}
