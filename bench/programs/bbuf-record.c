// SPDX-License-Identifier: Apache-2.0
//
// bbuf: a bounded buffer, five threads. A consumer that was woken takes it for
// granted that there is something: `if` where `while` should be. Another consumer
// that comes at the right moment has taken it. The sleeps make that moment likely.
//
//   bbuf [ITEMS]     of each producer; 3 by default
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { kSize = 4 };

static int buffer[kSize];
static int count, in, out;
static int consumed;
static int items = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;

static void put(int item) {
  pthread_mutex_lock(&lock);
  while (count == kSize) pthread_cond_wait(&not_full, &lock);
  buffer[in] = item;
  in = (in + 1) % kSize;
  ++count;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  pthread_mutex_lock(&lock);
  if (count == 0) pthread_cond_wait(&not_empty, &lock);
  assert(count > 0);
  int item = buffer[out];
  out = (out + 1) % kSize;
  --count;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return item;
}

static void* produce(void* argument) {
  long first = (long)argument;
  for (int i = 0; i < items; ++i) {
    usleep(500);
    put((int)first + i);
  }
  return 0;
}

static void* consume(void* argument) {
  long pause = (long)argument;
  for (int i = 0; i < items; ++i) {
    int item = get();
    __atomic_fetch_add(&consumed, item, __ATOMIC_RELAXED);
    usleep((useconds_t)pause);
  }
  return 0;
}

int main(int arguments, char** argument) {
  if (arguments > 1) items = atoi(argument[1]);
  pthread_t threads[4];
  pthread_create(&threads[0], 0, consume, (void*)0);
  pthread_create(&threads[1], 0, consume, (void*)500);
  pthread_create(&threads[2], 0, produce, (void*)10);
  pthread_create(&threads[3], 0, produce, (void*)20);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  return 0;
}
