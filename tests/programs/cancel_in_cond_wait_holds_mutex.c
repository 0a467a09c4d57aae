// SPDX-License-Identifier: Apache-2.0
// A thread cancelled in pthread_cond_wait owns the mutex again when its cleanup handler runs.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void cleanup(void* argument) {
  (void)argument;
  cleaned = 1;
  assert(pthread_mutex_unlock(&mutex) == 0);
}

static void* worker(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  pthread_cleanup_push(cleanup, NULL);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  assert(pthread_create(&thread, NULL, worker, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  assert(pthread_mutex_trylock(&mutex) == 0);
  assert(cleaned == 1);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
