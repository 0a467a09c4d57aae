// SPDX-License-Identifier: Apache-2.0
//
// As endless_loop.c, but only if the flag is seen: some executions end, others
// never do. What was found must be said, and exploring must go on after it: there is
// more than one execution.
//
// heddle-bad: options='--hang-seconds=3' exit=4 says='(?s)no visible operation for 3 s.*^([2-9]|[1-9][0-9]+) executions' seconds=60
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *spin_if_late(void *unused) {
  if (atomic_load(&flag))
    for (unsigned long rounds = 0;; rounds++) __asm__ volatile("" : "+r"(rounds));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, spin_if_late, NULL);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return 0;
}
