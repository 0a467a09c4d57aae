// SPDX-License-Identifier: Apache-2.0
// thrd_detach gives up the join; a condition tells that the detached thread got through.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains thread-detach
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int done;

static int worker(void* argument) {
  (void)argument;
  assert(mtx_lock(&mutex) == thrd_success);
  done = 1;
  assert(cnd_signal(&changed) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  return 0;
}

int main(void) {
  thrd_t thread;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  assert(thrd_create(&thread, worker, NULL) == thrd_success);
  assert(thrd_detach(thread) == thrd_success);
  assert(mtx_lock(&mutex) == thrd_success);
  while (!done) assert(cnd_wait(&changed, &mutex) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  return 0;
}
