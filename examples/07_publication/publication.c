// SPDX-License-Identifier: Apache-2.0
//
// One thread fills in a record and then publishes a pointer to it. With one queue
// of stores per processor (TSO, as on x86) the record arrives first. With one queue
// per location (PSO) the pointer may arrive before what it points to.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct record {
  atomic_int value;
};

static struct record record;
static _Atomic(struct record*) published;

static void* publish(void* argument) {
  atomic_store_explicit(&record.value, 42, memory_order_relaxed);
  atomic_store_explicit(&published, &record, memory_order_relaxed);
  return argument;
}

static void* consume(void* argument) {
  struct record* found = atomic_load_explicit(&published, memory_order_relaxed);
  if (found) assert(atomic_load_explicit(&found->value, memory_order_relaxed) == 42);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, publish, NULL);
  pthread_create(&second, NULL, consume, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
