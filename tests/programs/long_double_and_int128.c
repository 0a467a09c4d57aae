// SPDX-License-Identifier: Apache-2.0
// long double (10 bytes in 16) and __int128 values survive a trip through shared memory.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static long double precise[2];
static unsigned __int128 wide;
static _Complex double rotation;
static _Bool truth;

static void* worker(void* argument) {
  (void)argument;
  precise[0] = 1.0L + 0x1p-63L;
  precise[1] = precise[0] * 2;
  wide = (unsigned __int128)0xffffffffffffffffull * 0xffffffffffffffffull;
  __imag__ rotation = -2.5;
  truth = 8;
  return NULL;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(precise[0] != 1.0L && precise[1] - 2.0L == 0x1p-62L);
  assert((unsigned long)(wide >> 64) == 0xfffffffffffffffeull && (unsigned long)wide == 1);
  assert(__real__ rotation == 0.0 && __imag__ rotation == -2.5);
  assert(truth == 1);
  return 0;
}
