// SPDX-License-Identifier: Apache-2.0
// Neighbouring bit-fields share bytes: written by two threads under one lock, none is lost.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static struct {
  unsigned low : 3;
  signed middle : 5;
  unsigned long high : 40;
} fields;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* lower(void* argument) {
  for (int i = 0; i < 4; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    fields.low += 3;
    fields.middle--;
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return argument;
}

static void* upper(void* argument) {
  for (int i = 0; i < 4; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    fields.high += 1ul << 36;
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  assert(pthread_create(&first, NULL, lower, NULL) == 0);
  assert(pthread_create(&second, NULL, upper, NULL) == 0);
  assert(pthread_join(first, NULL) == 0);
  assert(pthread_join(second, NULL) == 0);
  assert(fields.low == 4 && fields.middle == -4 && fields.high == 1ul << 38);
  return 0;
}
