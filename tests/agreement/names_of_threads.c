// SPDX-License-Identifier: Apache-2.0
//
// A thread has the name of the thread that creates it; the first has that of the program.
//
// agree: holds
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void* look(void* unused) {
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(strcmp(name, "parent") == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && name[0] != 0);
  assert(pthread_setname_np(pthread_self(), "parent") == 0);
  pthread_create(&thread, 0, look, 0);
  pthread_join(thread, 0);
  return 0;
}
