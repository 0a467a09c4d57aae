// SPDX-License-Identifier: Apache-2.0
// Two threads wait without a token, one signal comes: one of them waits for ever.
// heddle: expect deadlock
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t token_there = PTHREAD_COND_INITIALIZER;
static int tokens;

static void* waiter(void* argument) {
  pthread_mutex_lock(&mutex);
  while (tokens == 0) pthread_cond_wait(&token_there, &mutex);
  tokens--;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, waiter, NULL) == 0);
  pthread_mutex_lock(&mutex);
  tokens++;
  pthread_cond_signal(&token_there);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
