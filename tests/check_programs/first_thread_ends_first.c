// SPDX-License-Identifier: Apache-2.0
//
// main ends by pthread_exit: the program goes on until the last thread has ended, and
// whoever that is, it ends with 0.
//
// heddle-check: all=holds classes=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *look(void *unused) {
  (void)atomic_load(&flag);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  atomic_store(&flag, 1);
  pthread_exit(NULL);
}
