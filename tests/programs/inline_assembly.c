// SPDX-License-Identifier: Apache-2.0
// Inline assembly with register operands runs as it is; with a memory operand it writes what it says.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static int cells[2];

static int add_in_assembly(int left, int right) {
  int result;
  __asm__("leal (%1,%2), %0" : "=r"(result) : "r"((long)left), "r"((long)right));
  return result;
}

static void* worker(void* argument) {
  int* cell = argument;
  __asm__ volatile("movl $21, %0" : "=m"(*cell));
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("pause");
  *cell = add_in_assembly(*cell, *cell);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &cells[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(cells[0] == 42 && cells[1] == 42);
  return 0;
}
