// SPDX-License-Identifier: Apache-2.0
//
// A choice of SV-COMP that names no range: both values of a bool are tried, of an int only 0, and the answer says so.
//
// heddle-check: all=violated finding=assertion
// heddle-check: cflags='-DINT' all=undecided reason=choice-without-range
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int chosen;

static void* choose(void* argument) {
  (void)argument;
#ifdef INT
  chosen = __VERIFIER_nondet_int();
#else
  chosen = __VERIFIER_nondet_bool();
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, choose, 0);
  pthread_join(thread, 0);
  assert(chosen != 1);
  return 0;
}
