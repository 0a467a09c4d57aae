// SPDX-License-Identifier: Apache-2.0
// A read through an address that is mapped nowhere raises SIGSEGV.
// heddle: expect signal SEGV
// heddle: schedules all
#include <pthread.h>
#include <stdint.h>

static uintptr_t address = 0x0000123456789000;

static void* worker(void* argument) {
  *(long*)argument = *(long*)address;
  return NULL;
}

int main(void) {
  pthread_t thread;
  long value = 0;
  if (pthread_create(&thread, NULL, worker, &value) != 0) return 1;
  pthread_join(thread, NULL);
  return 0;
}
