// SPDX-License-Identifier: Apache-2.0
//
// late_order: two threads work for long, mostly for themselves, before an order of
// a dozen operations makes the program fail: one goes through six values,
// the other looks now and then and finds these. The sleeps make that order likely.
//
//   late_order [ROUNDS]     of work; 60000 by default, three branches each
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int value, seen, done;
static volatile int sums[2];
static int rounds = 60000;

static void work(volatile int* sum) {
  for (int i = 0; i < rounds; ++i) {
    if (i % 3) *sum += i;
    if (i % 64) continue;
    pthread_mutex_lock(&lock);
    done = done + 1;
    pthread_mutex_unlock(&lock);
  }
}

static void* write_values(void* sum) {
  work(sum);
  for (int i = 1; i <= 6; ++i) {
    value = i;
    usleep(20000);
  }
  return 0;
}

static void* look(void* sum) {
  static const int pauses[] = {10, 5, 35, 5, 2, 53}, values[] = {1, 1, 3, 3, 3, 6};
  work(sum);
  int found = 0;
  for (int i = 0; i < 6; ++i) {
    usleep(1000 * (useconds_t)pauses[i]);
    if (value == values[i]) found++;
  }
  seen = found;
  return 0;
}

int main(int arguments, char** argument) {
  if (arguments > 1) rounds = atoi(argument[1]);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, write_values, (void*)&sums[0]);
  pthread_create(&threads[1], 0, look, (void*)&sums[1]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (seen == 6) abort();
  return 0;
}
