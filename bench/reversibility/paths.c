// SPDX-License-Identifier: Apache-2.0
//
// A program of the size and kind of PARSEC's swaptions: workers simulate paths,
// each with memory of its own, and write results to places of their own.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWorkers = 3, kPaths = 100, kSteps = 400, kRates = 16 };
static double results[kPaths];

static double simulate(double *rates, double start) {
  double *path = malloc(sizeof(double) * kSteps);
  double sum = 0;
  for (int i = 0; i < kSteps; i++) {
    path[i] = start * rates[i % kRates];
    sum += path[i];
    if (sum > 100) sum *= 0.5;
    rates[i % kRates] += 0.001 * sum;
  }
  free(path);
  return sum;
}

static void *work(void *argument) {
  double rates[kRates];
  for (int i = 0; i < kRates; i++) rates[i] = i * 0.1;
  for (int path = (int)(long)argument; path < kPaths; path += kWorkers) results[path] = simulate(rates, path);
  return 0;
}

int main(void) {
  pthread_t threads[kWorkers];
  for (long i = 0; i < kWorkers; i++) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < kWorkers; i++) pthread_join(threads[i], 0);
  double sum = 0;
  for (int i = 0; i < kPaths; i++) sum += results[i];
  printf("%f\n", sum);
  return 0;
}
