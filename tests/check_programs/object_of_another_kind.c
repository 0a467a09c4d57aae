// SPDX-License-Identifier: Apache-2.0
//
// The same memory is a mutex first and a semaphore later. What was known when the
// mutex was unlocked is not known to who waits for the semaphore.
//
// heddle-check: options='--races' all=violated finding=race
// heddle-check: cflags='-DJOINED' options='--races' all=holds reduce=learn,dpor
// heddle-check: cflags='-DJOINED' options='--races' all=undecided reason=not-modelled reduce=mcr
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static union {
  pthread_mutex_t mutex;
  sem_t semaphore;
} object;
static int data, copy;
static atomic_int is_done;

static void *write_data(void *unused) {
  data = 1;
  pthread_mutex_lock(&object.mutex);
  pthread_mutex_unlock(&object.mutex);
  atomic_store_explicit(&is_done, 1, memory_order_relaxed);
  return unused;
}

static void *read_data(void *unused) {
  sem_wait(&object.semaphore);
  copy = data;
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_mutex_init(&object.mutex, NULL);
  pthread_create(&writer, NULL, write_data, NULL);
  while (!atomic_load_explicit(&is_done, memory_order_relaxed)) {
  }
  pthread_mutex_destroy(&object.mutex);
#ifdef JOINED
  pthread_join(writer, NULL);
#endif
  sem_init(&object.semaphore, 0, 1);
  pthread_create(&reader, NULL, read_data, NULL);
#ifndef JOINED
  pthread_join(writer, NULL);
#endif
  pthread_join(reader, NULL);
  return 0;
}
