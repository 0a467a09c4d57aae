// SPDX-License-Identifier: Apache-2.0
//
// What bench/predict/growth predicts from: workers that share counters under
// locks, hand items on through a queue with a condition, keep tables of their
// own, publish by release and acquire, and race at two places now and then.
//
//   workload ROUNDS        about 130 events a round
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kWorkers = 4, kCounters = 8, kTable = 64, kQueue = 16 };

static pthread_mutex_t locks[kCounters] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static long counters[kCounters];
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;
static long queue[kQueue], first, last;
static long published_data;
static atomic_long published;
static long tables[kWorkers][kTable];
static long races_with_all, races_sometimes;
static int rounds;

static void count(int counter) {
  pthread_mutex_lock(&locks[counter]);
  ++counters[counter];
  pthread_mutex_unlock(&locks[counter]);
}

static void put(long item) {
  pthread_mutex_lock(&queue_lock);
  while (last - first == kQueue) pthread_cond_wait(&queue_changed, &queue_lock);
  queue[last++ % kQueue] = item;
  pthread_cond_broadcast(&queue_changed);
  pthread_mutex_unlock(&queue_lock);
}

static void take(void) {
  pthread_mutex_lock(&queue_lock);
  while (last == first) pthread_cond_wait(&queue_changed, &queue_lock);
  ++first;
  pthread_cond_broadcast(&queue_changed);
  pthread_mutex_unlock(&queue_lock);
}

static void* work(void* argument) {
  const long self = (long)argument;
  for (long round = 0; round < rounds; ++round) {
    for (int i = 0; i < 4; ++i) count((int)((self + round + i) % kCounters));
    for (int i = 0; i < 4; ++i) ++tables[self][(round + i) % kTable];
    if (self % 2)
      put(round);
    else
      take();
    if (round % 50 == 0 && self == 0) {
      published_data = round;
      atomic_store_explicit(&published, 1, memory_order_release);
    }
    if (self == 1 && atomic_load_explicit(&published, memory_order_acquire) == 1 && round == rounds - 1) ++counters[0];
    if (round % 100 == 99) races_with_all = round;
    if (round == rounds / 2) ++races_sometimes;
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kWorkers];
  rounds = argc > 1 ? atoi(argv[1]) : 10;
  for (long i = 0; i < kWorkers; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < kWorkers; ++i) pthread_join(threads[i], NULL);
  return 0;
}
