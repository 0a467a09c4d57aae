// SPDX-License-Identifier: Apache-2.0
// A thread with a stack of 4 MiB can use 3 MiB of it in one frame.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void* deep(void* argument) {
  volatile char block[3 << 20];
  for (size_t i = 0; i < sizeof block; i += 4096) block[i] = 1;
  block[sizeof block - 1] = *(char*)argument;
  return (void*)(size_t)block[sizeof block - 1];
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  size_t size;
  char mark = 42;
  void* result;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setstacksize(&attributes, 4 << 20) == 0);
  assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 4 << 20);
  assert(pthread_create(&thread, &attributes, deep, &mark) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert((size_t)result == 42);
  assert(pthread_attr_destroy(&attributes) == 0);
  return 0;
}
