// SPDX-License-Identifier: Apache-2.0
// realloc moved the block away; a pointer kept from before writes into freed memory.
// heddle: expect use-after-free
// heddle: schedules all
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char* block = malloc(16);
  char* barrier = malloc(16);
  assert(block != NULL && barrier != NULL);
  uintptr_t old = (uintptr_t)block;
  block = realloc(block, 1 << 20);
  assert(block != NULL);
  *(char*)old = 1;
  free(block);
  free(barrier);
  return 0;
}
