// SPDX-License-Identifier: Apache-2.0
//
// The C library looks into the mutex.
//
// agree: violated null-dereference
#include <pthread.h>

int main(void) {
  pthread_mutex_t* nowhere = 0;
  return pthread_mutex_lock(nowhere);
}
