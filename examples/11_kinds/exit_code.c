// SPDX-License-Identifier: Apache-2.0
//
// The program says by its exit code that the message was not there yet.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int message;

static void* send(void* unused) {
  atomic_store(&message, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, send, NULL);
  const int seen = atomic_load(&message);
  pthread_join(thread, NULL);
  return seen == 1 ? 0 : 2;
}
