// SPDX-License-Identifier: Apache-2.0
// malloc, calloc, realloc, aligned_alloc, posix_memalign, strdup, and the size that is usable.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains alloc >=5
// heddle: contains free >=5
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* text = malloc(6);
  assert(text != NULL && (uintptr_t)text % 16 == 0);
  strcpy(text, "hello");
  text = realloc(text, 4000);
  assert(text != NULL && strcmp(text, "hello") == 0);
  assert(malloc_usable_size(text) >= 4000);
  text = realloc(text, 6);
  assert(text != NULL && strcmp(text, "hello") == 0);
  int* zeros = calloc(100, sizeof *zeros);
  for (int i = 0; i < 100; i++) assert(zeros[i] == 0);
  char* aligned = aligned_alloc(64, 128);
  assert((uintptr_t)aligned % 64 == 0);
  void* page = NULL;
  assert(posix_memalign(&page, 4096, 100) == 0 && (uintptr_t)page % 4096 == 0);
  char* copy = strdup(text);
  assert(copy != text && strcmp(copy, "hello") == 0);
  char* fresh = realloc(NULL, 10);
  assert(fresh != NULL);
  volatile size_t huge = SIZE_MAX / 2;
  assert(malloc(huge) == NULL && calloc(huge, 4) == NULL);
  free(text);
  free(zeros);
  free(aligned);
  free(page);
  free(copy);
  free(fresh);
  free(NULL);
  return 0;
}
