// SPDX-License-Identifier: Apache-2.0
//
// The C library refuses to destroy a mutex that is held, and the program goes on. What happens
// then is found as well.
//
// agree: violated misuse null-dereference
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value, *place = &value;

int main(void) {
  pthread_mutex_lock(&mutex);
  if (pthread_mutex_destroy(&mutex) != 0) place = 0;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  *place = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}
