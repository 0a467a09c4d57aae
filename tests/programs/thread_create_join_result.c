// SPDX-License-Identifier: Apache-2.0
// A thread's return value reaches the thread that joins it, whatever was passed as argument.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains thread-create >=3
// heddle: contains thread-join >=3
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void* square(void* argument) {
  intptr_t n = (intptr_t)argument;
  return (void*)(n * n);
}

int main(void) {
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; i++) {
    assert(pthread_create(&threads[i], NULL, square, (void*)(i + 2)) == 0);
  }
  for (intptr_t i = 0; i < 3; i++) {
    void* result = NULL;
    assert(pthread_join(threads[i], &result) == 0);
    assert((intptr_t)result == (i + 2) * (i + 2));
  }
  return 0;
}
