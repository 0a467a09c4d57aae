// SPDX-License-Identifier: Apache-2.0
// free gets the address of a local variable, which no allocation ever returned.
// heddle: expect bad-free
// heddle: schedules all
#include <stdint.h>
#include <stdlib.h>

static void release(uintptr_t address) { free((void*)address); }

int main(void) {
  long local[8] = {0};
  release((uintptr_t)&local[2]);
  return (int)local[0];
}
