// SPDX-License-Identifier: Apache-2.0
// thrd_create, thrd_join with result, thrd_exit, thrd_current and thrd_equal.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains thread-create >=2
// heddle: contains thread-join >=2
#include <assert.h>
#include <threads.h>

static thrd_t seen;

static int returns(void* argument) {
  seen = thrd_current();
  return *(int*)argument + 1;
}

static int exits(void* argument) {
  thrd_yield();
  thrd_exit(*(int*)argument * 2);
}

int main(void) {
  thrd_t first, second;
  int input = 20, result = 0;
  assert(thrd_create(&first, returns, &input) == thrd_success);
  assert(thrd_create(&second, exits, &input) == thrd_success);
  assert(thrd_join(first, &result) == thrd_success && result == 21);
  assert(thrd_join(second, &result) == thrd_success && result == 40);
  assert(thrd_equal(seen, first));
  assert(!thrd_equal(thrd_current(), first));
  return 0;
}
