// SPDX-License-Identifier: Apache-2.0
// The old __sync and the volatile __atomic builtins are atomic operations too.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=6
// heddle: contains cas >=2
#include <assert.h>
#include <pthread.h>

static int counter, lock, guarded;
static volatile long total;

static void* worker(void* argument) {
  __sync_fetch_and_add(&counter, 2);
  __sync_sub_and_fetch(&counter, 1);
  __atomic_add_fetch(&total, 5, __ATOMIC_SEQ_CST);
  while (!__sync_bool_compare_and_swap(&lock, 0, 1)) {
  }
  guarded++;
  __sync_lock_release(&lock);
  __sync_synchronize();
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(counter == 2 && guarded == 2 && total == 10);
  assert(__sync_val_compare_and_swap(&counter, 2, 7) == 2 && counter == 7);
  assert(__sync_lock_test_and_set(&lock, 1) == 0);
  return 0;
}
