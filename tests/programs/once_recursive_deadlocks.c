// SPDX-License-Identifier: Apache-2.0
// A pthread_once routine that calls pthread_once on the same control waits for itself.
// heddle: expect deadlock
// heddle: schedules all
// heddle: contains once-enter
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void);

static void require_initialised(void) { pthread_once(&once, initialise); }

static void initialise(void) { require_initialised(); }

int main(void) {
  require_initialised();
  return 0;
}
