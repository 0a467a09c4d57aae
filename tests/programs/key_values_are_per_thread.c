// SPDX-License-Identifier: Apache-2.0
// A key starts as NULL in every thread, holds a value per thread, and is forgotten after delete.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_key_t key;

static void* worker(void* argument) {
  assert(pthread_getspecific(key) == NULL);
  assert(pthread_setspecific(key, argument) == 0);
  sched_yield();
  assert(pthread_getspecific(key) == argument);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int marks[3];
  assert(pthread_key_create(&key, NULL) == 0);
  assert(pthread_setspecific(key, &marks[2]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &marks[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(pthread_getspecific(key) == &marks[2]);
  assert(pthread_key_delete(key) == 0);
  return 0;
}
