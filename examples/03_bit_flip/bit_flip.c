// SPDX-License-Identifier: Apache-2.0
//
// A producer computes a table, a consumer adds it up, main writes the sum. What
// becomes of one wrong bit in the producer?
#include <pthread.h>
#include <stdio.h>

#define COUNT 16
static long table[COUNT];

static long square(long n) { return n * n; }

static void *produce(void *unused) {
  for (long i = 0; i < COUNT; ++i) table[i] = square(i);
  return unused;
}

static void *consume(void *sum) {
  for (int i = 0; i < COUNT; ++i)
    if (table[i] % 2 == 0) *(long *)sum += table[i];
  return NULL;
}

int main(void) {
  pthread_t thread;
  long sum = 0;
  pthread_create(&thread, NULL, produce, NULL);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, consume, &sum);
  pthread_join(thread, NULL);
  printf("%ld\n", sum);
  return 0;
}
