// SPDX-License-Identifier: Apache-2.0
//
// A thread that detaches itself while main waits for its end: whether main may do that
// depends on who is first, so it is wrong in any order.
//
// heddle-check: all=violated finding=misuse
#include <pthread.h>
#include <stddef.h>

static void *leave(void *unused) {
  pthread_detach(pthread_self());
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, leave, NULL);
  pthread_join(thread, NULL);
  return 0;
}
