// SPDX-License-Identifier: Apache-2.0
// _Atomic arithmetic is indivisible, and a _Thread_local starts from its initialiser in every thread.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=6
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static _Atomic int total;
static _Thread_local int own = 5;

static int worker(void* argument) {
  (void)argument;
  for (int i = 0; i < 3; i++) {
    own++;
    total += 2;
    thrd_yield();
  }
  return own;
}

int main(void) {
  thrd_t threads[2];
  int result;
  own = 50;
  for (int i = 0; i < 2; i++) assert(thrd_create(&threads[i], worker, NULL) == thrd_success);
  for (int i = 0; i < 2; i++) assert(thrd_join(threads[i], &result) == thrd_success && result == 8);
  assert(own == 50 && total == 12);
  return 0;
}
