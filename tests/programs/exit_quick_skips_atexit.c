// SPDX-License-Identifier: Apache-2.0
// quick_exit runs only its own handlers; _Exit would run none at all.
// heddle: expect exit 6
// heddle: schedules all
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void never_called(void) { _exit(1); }

static int order;

static void last(void) {
  assert(order == 1);
  _Exit(6);
}

static void first(void) { order++; }

int main(void) {
  assert(atexit(never_called) == 0);
  assert(at_quick_exit(last) == 0);
  assert(at_quick_exit(first) == 0);
  quick_exit(9);
}
