// SPDX-License-Identifier: Apache-2.0
// call_once from two threads runs the function once, and both see what it did.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains once-enter >=2
#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int value;

static void initialise(void) { value += 3; }

static int worker(void* argument) {
  (void)argument;
  call_once(&flag, initialise);
  return value;
}

int main(void) {
  thrd_t threads[2];
  int result;
  for (int i = 0; i < 2; i++) assert(thrd_create(&threads[i], worker, NULL) == thrd_success);
  for (int i = 0; i < 2; i++) assert(thrd_join(threads[i], &result) == thrd_success && result == 3);
  return 0;
}
