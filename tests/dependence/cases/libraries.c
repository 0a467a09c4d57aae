// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int v, w, x, y, z;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void start(void) { v = 1; }                          // on a, not b
static void at_end(void) { v = 2; }                         // on b
static int by_value(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }
int main(void) {
  int a = heddle_nondet_int(0, 2);                          // from a
  int b = heddle_nondet_int(0, 2);                          // from b
  char text[8];
  int numbers[2] = {a, 1};
  pthread_key_create(&key, 0);
  pthread_setspecific(key, (void *)(intptr_t)a);
  w = (int)(intptr_t)pthread_getspecific(key);              // on a, not b
  if (a) pthread_once(&once, start);
  if (b) atexit(at_end);
  snprintf(text, sizeof text, "%d", b);
  x = text[0];                                              // on b
  qsort(numbers, 2, sizeof numbers[0], by_value);
  y = numbers[0];                                           // memory a
  srand((unsigned)b);
  z = rand();                                               // on b
  return 0;
}
