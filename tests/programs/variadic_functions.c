// SPDX-License-Identifier: Apache-2.0
// Variadic functions read integers, doubles, structs and pointers, also through a copied va_list.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct Pair {
  long first, second;
};

static double sum(const char* kinds, ...) {
  va_list list, copy;
  double total = 0;
  va_start(list, kinds);
  va_copy(copy, list);
  for (const char* kind = kinds; *kind; kind++) {
    if (*kind == 'i') total += va_arg(list, int);
    if (*kind == 'd') total += va_arg(list, double);
    if (*kind == 'p') total += *va_arg(list, int*);
    if (*kind == 's') total += va_arg(list, struct Pair).second;
  }
  assert(va_arg(copy, int) == 1);
  va_end(copy);
  va_end(list);
  return total;
}

static void* worker(void* argument) {
  char text[32];
  assert(sum("iiiiiiidps", 1, 2, 3, 4, 5, 6, 7, 0.5, (int*)argument, (struct Pair){9, 10}) == 48.5);
  snprintf(text, sizeof text, "%d %s %.1f %c", 1, "two", 3.0, '4');
  assert(strcmp(text, "1 two 3.0 4") == 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int ten = 10;
  assert(pthread_create(&thread, NULL, worker, &ten) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
