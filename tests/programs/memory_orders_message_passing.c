// SPDX-License-Identifier: Apache-2.0
// Message passing with each sufficient pair of orders: release/acquire, fences, seq_cst, consume.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains fence >=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data[4];
static atomic_int flag[3];
static _Atomic(int*) pointer;

static void* writer(void* argument) {
  data[0] = 1;
  atomic_store_explicit(&flag[0], 1, memory_order_release);
  data[1] = 2;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag[1], 1, memory_order_relaxed);
  data[2] = 3;
  atomic_store(&flag[2], 1);
  data[3] = 4;
  atomic_store_explicit(&pointer, &data[3], memory_order_release);
  return argument;
}

int main(void) {
  pthread_t thread;
  int* seen;
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  if (atomic_load_explicit(&flag[0], memory_order_acquire)) assert(data[0] == 1);
  int second = atomic_load_explicit(&flag[1], memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  if (second) assert(data[1] == 2);
  if (atomic_load(&flag[2])) assert(data[2] == 3);
  seen = atomic_load_explicit(&pointer, memory_order_consume);
  if (seen) assert(*seen == 4);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
