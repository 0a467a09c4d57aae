// SPDX-License-Identifier: Apache-2.0
//
// 10,000 threads that only begin and end: one class, if it can be run at all. With
// -DCOUNTED each adds to a counter, so that the classes cannot be counted in any
// time; the check must stop when its time is over.
//
// heddle-bad: exit=4 says='an execution has too many threads or operations to look for others' seconds=180
// heddle-bad: cflags='-DCOUNTED' options='--time-limit=4' exit=4 says='the time limit was reached|too many threads or operations' seconds=180
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define COUNT 10000

static atomic_int counter;
static pthread_t thread[COUNT];

static void *run(void *unused) {
#ifdef COUNTED
  atomic_fetch_add(&counter, 1);
#endif
  return unused;
}

int main(void) {
  for (int i = 0; i < COUNT; i++)
    if (pthread_create(&thread[i], NULL, run, NULL) != 0) return 1;
  for (int i = 0; i < COUNT; i++) pthread_join(thread[i], NULL);
  return atomic_load(&counter) < 0;
}
