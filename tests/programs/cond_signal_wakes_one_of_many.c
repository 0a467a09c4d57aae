// SPDX-License-Identifier: Apache-2.0
// Three waiters, three tokens handed out one signal at a time: every waiter gets exactly one.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cond-signal >=3
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t token_there = PTHREAD_COND_INITIALIZER;
static int tokens, taken;

static void* waiter(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  while (tokens == 0) assert(pthread_cond_wait(&token_there, &mutex) == 0);
  tokens--;
  taken++;
  assert(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) assert(pthread_create(&threads[i], NULL, waiter, NULL) == 0);
  for (int i = 0; i < 3; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    tokens++;
    assert(pthread_cond_signal(&token_there) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  for (int i = 0; i < 3; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(tokens == 0 && taken == 3);
  return 0;
}
