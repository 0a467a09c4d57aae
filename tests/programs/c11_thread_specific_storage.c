// SPDX-License-Identifier: Apache-2.0
// tss_t holds one value per thread, and its destructor runs when the thread ends, not for main.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static mtx_t mutex;
static int destroyed;

static void destroy(void* value) {
  assert(mtx_lock(&mutex) == thrd_success);
  destroyed += *(int*)value;
  assert(mtx_unlock(&mutex) == thrd_success);
  free(value);
}

static int worker(void* argument) {
  int* value = malloc(sizeof *value);
  *value = *(int*)argument;
  assert(tss_get(key) == NULL);
  assert(tss_set(key, value) == thrd_success);
  thrd_yield();
  assert(tss_get(key) == value);
  return 0;
}

int main(void) {
  thrd_t threads[2];
  int values[2] = {10, 1}, mine = 100;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(tss_create(&key, destroy) == thrd_success);
  assert(tss_set(key, &mine) == thrd_success);
  for (int i = 0; i < 2; i++) assert(thrd_create(&threads[i], worker, &values[i]) == thrd_success);
  for (int i = 0; i < 2; i++) assert(thrd_join(threads[i], NULL) == thrd_success);
  assert(destroyed == 11);
  assert(tss_get(key) == &mine);
  tss_delete(key);
  return 0;
}
