// SPDX-License-Identifier: Apache-2.0
//
// The smallest program whose failure a recording explains: two threads add one,
// and one addition is lost. The sleeps make the failure nearly certain.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static volatile int counter;

static void* add(void* unused) {
  int seen = counter;
  usleep(2000);
  counter = seen + 1;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
