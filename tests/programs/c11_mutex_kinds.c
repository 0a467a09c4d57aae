// SPDX-License-Identifier: Apache-2.0
// mtx_t as plain, recursive and timed: trylock says thrd_busy, timedlock says thrd_timedout.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed;

static int probe(void* argument) {
  (void)argument;
  struct timespec deadline;
  assert(mtx_trylock(&plain) == thrd_busy);
  assert(mtx_trylock(&recursive) == thrd_busy);
  assert(timespec_get(&deadline, TIME_UTC) == TIME_UTC);
  assert(mtx_timedlock(&timed, &deadline) == thrd_timedout);
  return 0;
}

int main(void) {
  thrd_t thread;
  assert(mtx_init(&plain, mtx_plain) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  assert(mtx_init(&timed, mtx_timed) == thrd_success);
  assert(mtx_lock(&plain) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_lock(&timed) == thrd_success);
  assert(thrd_create(&thread, probe, NULL) == thrd_success);
  assert(thrd_join(thread, NULL) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_unlock(&plain) == thrd_success);
  assert(mtx_unlock(&timed) == thrd_success);
  mtx_destroy(&plain);
  mtx_destroy(&recursive);
  mtx_destroy(&timed);
  return 0;
}
