// SPDX-License-Identifier: Apache-2.0
// A ticket lock serves threads in the order of their tickets and excludes them from each other.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static unsigned order[6], served;

static void* worker(void* argument) {
  for (int i = 0; i < 2; i++) {
    unsigned ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket) {
    }
    order[served++] = ticket;
    atomic_store_explicit(&now_serving, ticket + 1, memory_order_release);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_join(threads[i], NULL) == 0);
  for (unsigned i = 0; i < 6; i++) assert(order[i] == i);
  return 0;
}
