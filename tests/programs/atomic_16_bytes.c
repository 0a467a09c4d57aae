// SPDX-License-Identifier: Apache-2.0
// A 16-byte atomic (cmpxchg16b) is never seen half written.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -mcx16
// heddle: contains cas
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef unsigned __int128 wide;

static _Atomic wide cell;

static wide both(unsigned long n) { return (wide)n << 64 | n; }

static void* writer(void* argument) {
  for (unsigned long n = 1; n <= 3; n++) {
    wide old = atomic_load(&cell);
    while (!atomic_compare_exchange_weak(&cell, &old, both((unsigned long)old + n))) {
    }
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, writer, NULL) == 0);
  wide seen = atomic_load(&cell);
  assert((unsigned long)(seen >> 64) == (unsigned long)seen);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(atomic_exchange(&cell, both(1)) == both(12));
  return 0;
}
