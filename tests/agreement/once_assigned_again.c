// SPDX-License-Identifier: Apache-2.0
//
// A one-time initialisation that is made possible again by assigning its initialiser.
//
// agree: holds
// agree-undecided: mcr mcr-s se-mcr
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int count;

static void initialise(void) { ++count; }

int main(void) {
  pthread_once(&once, initialise);
  pthread_once(&once, initialise);
  assert(count == 1);
  once = (pthread_once_t)PTHREAD_ONCE_INIT;
  pthread_once(&once, initialise);
  assert(count == 2);
  return 0;
}
