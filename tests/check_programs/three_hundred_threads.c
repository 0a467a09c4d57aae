// SPDX-License-Identifier: Apache-2.0
//
// More threads could go on at once than a run lists: the answer says so.
//
// heddle-check: sc=undecided reason=threads reduce=dpor
// heddle-check: cflags='-DCOUNT=3' sc=holds
#include <pthread.h>

#ifndef COUNT
#define COUNT 300
#endif

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t threads[COUNT];
  pthread_mutex_lock(&gate);
  for (int i = 0; i < COUNT; ++i) pthread_create(&threads[i], 0, work, 0);
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < COUNT; ++i) pthread_join(threads[i], 0);
  return 0;
}
