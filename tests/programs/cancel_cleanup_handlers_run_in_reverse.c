// SPDX-License-Identifier: Apache-2.0
// Cleanup handlers run last-pushed first, then key destructors; a handler popped before does not run.
// heddle: expect exit 0
// heddle: stdout inner
// heddle: stdout outer
// heddle: stdout key
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;

static void say(void* text) { puts(text); }

static void* worker(void* argument) {
  assert(pthread_setspecific(key, "key") == 0);
  pthread_cleanup_push(say, "outer");
  pthread_cleanup_push(say, "popped");
  pthread_cleanup_pop(0);
  pthread_cleanup_push(say, "inner");
  for (;;) pthread_testcancel();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  assert(pthread_key_create(&key, say) == 0);
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
