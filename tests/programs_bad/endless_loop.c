// SPDX-License-Identifier: Apache-2.0
//
// A thread that computes for ever without a visible operation: nobody can switch
// away from it, so only the clock tells.
//
// heddle-bad: options='--hang-seconds=3' exit=1,4 says='hang|no visible operation' seconds=60
#include <pthread.h>
#include <stddef.h>

static void *spin(void *unused) {
  for (unsigned long rounds = 0;; rounds++) __asm__ volatile("" : "+r"(rounds));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, spin, NULL);
  pthread_join(thread, NULL);
  return 0;
}
