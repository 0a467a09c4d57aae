// SPDX-License-Identifier: Apache-2.0
//
// A mutex that was held when its function returned: the next call has another one at the same address. Natively it can
// be locked; that a mutex which is held is written over is a misuse.
//
// agree: violated misuse
#include <assert.h>
#include <pthread.h>

static int lock_it(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  return pthread_mutex_trylock(&mutex);
}

int main(void) {
  assert(lock_it() == 0);
  assert(lock_it() == 0);
  return 0;
}
