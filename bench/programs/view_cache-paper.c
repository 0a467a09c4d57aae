// SPDX-License-Identifier: Apache-2.0
//
// The core of a view cache (Derby): a reference that is dropped, made again when
// it is found null, checked, and then read again to be used, all without a lock.
// The other thread may drop it between check and use: null dereference (every
// memory model). A thread that finds null ends; with -DCRASH it uses the null
// pointer.
//
// heddle-check: all=violated finding=assertion classes=275
// heddle-check: cflags='-DCRASH' all=violated finding=null-dereference
#include "paper.h"

struct View {
  shared_int columns;
};
static struct View made_by[2];
static SHARED_POINTER(struct View) cache;

// Whether there was a view to use.
static int use(struct View *view) {
  if (view == NULL) {
    NULL_USED();
    return 0;
  }
  (void)READ(view->columns);
  return 1;
}

static void *run(void *argument) {
  const int me = (int)(intptr_t)argument;
  WRITE(cache, NULL);
  for (int i = 0; i < 2; i++)
    if (READ(cache) == NULL) WRITE(cache, &made_by[me]);
  if (!use(READ(cache))) return NULL;
  if (READ(cache) != NULL)
    for (int i = 0; i < 2; i++)
      if (!use(READ(cache))) return NULL;
  WRITE(cache, NULL);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  START(one, run, 0);
  START(two, run, 1);
  JOIN(one);
  JOIN(two);
  ASSERT_NO_BUG();
  return 0;
}
