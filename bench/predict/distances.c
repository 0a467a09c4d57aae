// SPDX-License-Identifier: Apache-2.0
//
// What bench/predict/windows predicts from: eight races that happens-before misses, the accesses of each farther
// apart in the trace than those of the one before it. A window that has both accesses finds the race.
#include <pthread.h>

static pthread_mutex_t between = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static int count, sum;

// Four events for each.
static void work(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&own);
    ++count;
    pthread_mutex_unlock(&own);
  }
}

#define PAIR(number, rounds)        \
  static int x##number;             \
  static void write##number(void) { \
    x##number = 1;                  \
    pthread_mutex_lock(&between);   \
    pthread_mutex_unlock(&between); \
    work(rounds);                   \
  }                                 \
  static void read##number(void) {  \
    pthread_mutex_lock(&between);   \
    pthread_mutex_unlock(&between); \
    sum += x##number;               \
  }
PAIR(0, 15)
PAIR(1, 45)
PAIR(2, 95)
PAIR(3, 170)
PAIR(4, 350)
PAIR(5, 700)
PAIR(6, 1400)
PAIR(7, 2800)

static void (*const writes[])(void) = {write0, write1, write2, write3, write4, write5, write6, write7};
static void (*const reads[])(void) = {read0, read1, read2, read3, read4, read5, read6, read7};

static void* run(void* function) {
  (*(void (*const*)(void))function)();
  return 0;
}

int main(void) {
  for (unsigned i = 0; i < sizeof writes / sizeof *writes; ++i) {
    pthread_t writer, reader;
    pthread_create(&writer, 0, run, (void*)&writes[i]);
    pthread_create(&reader, 0, run, (void*)&reads[i]);
    pthread_join(writer, 0);
    pthread_join(reader, 0);
  }
  return 0;
}
