// SPDX-License-Identifier: Apache-2.0
//
// glibc looks into the thread that a pthread_t of 0 stands for.
//
// agree: violated null-dereference
#include <pthread.h>
#include <signal.h>

int main(void) {
  pthread_t nobody = 0;
  return pthread_kill(nobody, 0) == 77;
}
