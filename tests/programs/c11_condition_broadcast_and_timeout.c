// SPDX-License-Identifier: Apache-2.0
// cnd_broadcast frees all waiters; cnd_timedwait past its time says thrd_timedout.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t changed;
static int is_open, through;

static int waiter(void* argument) {
  (void)argument;
  assert(mtx_lock(&mutex) == thrd_success);
  while (!is_open) assert(cnd_wait(&changed, &mutex) == thrd_success);
  through++;
  assert(mtx_unlock(&mutex) == thrd_success);
  return 0;
}

int main(void) {
  thrd_t threads[2];
  struct timespec past = {1, 0};
  assert(mtx_init(&mutex, mtx_timed) == thrd_success && cnd_init(&changed) == thrd_success);
  assert(mtx_lock(&mutex) == thrd_success);
  assert(cnd_timedwait(&changed, &mutex, &past) == thrd_timedout);
  assert(mtx_unlock(&mutex) == thrd_success);
  for (int i = 0; i < 2; i++) assert(thrd_create(&threads[i], waiter, NULL) == thrd_success);
  assert(mtx_lock(&mutex) == thrd_success);
  is_open = 1;
  assert(cnd_broadcast(&changed) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  for (int i = 0; i < 2; i++) assert(thrd_join(threads[i], NULL) == thrd_success);
  assert(through == 2);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  return 0;
}
