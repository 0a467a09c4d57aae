// SPDX-License-Identifier: Apache-2.0
// Two producers and two consumers over a buffer of two cells with two conditions: nothing is lost or doubled.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cond-signal >=12
#include <assert.h>
#include <pthread.h>

enum { kCells = 2, kItems = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int cells[kCells], count, head, sum;

static void* producer(void* argument) {
  for (int i = 1; i <= kItems; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    while (count == kCells) assert(pthread_cond_wait(&not_full, &mutex) == 0);
    cells[(head + count++) % kCells] = i * *(int*)argument;
    assert(pthread_cond_signal(&not_empty) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return NULL;
}

static void* consumer(void* argument) {
  for (int i = 0; i < kItems; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    while (count == 0) assert(pthread_cond_wait(&not_empty, &mutex) == 0);
    sum += cells[head];
    head = (head + 1) % kCells;
    count--;
    assert(pthread_cond_signal(&not_full) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[4];
  int weights[2] = {1, 100};
  for (int i = 0; i < 2; i++) {
    assert(pthread_create(&threads[i], NULL, producer, &weights[i]) == 0);
    assert(pthread_create(&threads[2 + i], NULL, consumer, NULL) == 0);
  }
  for (int i = 0; i < 4; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(count == 0 && sum == 606);
  return 0;
}
