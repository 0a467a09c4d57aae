// SPDX-License-Identifier: Apache-2.0
//
// Timed waits for semaphores take tokens as others do: who has the only one keeps
// others out, and two that are taken in both orders block each other. Both
// threads may also give up.
//
// heddle-check: all=holds
// heddle-check: cflags='-DBOTH_WAYS' all=violated finding=deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static sem_t first, second;
static int count, taken;

static bool take(sem_t *semaphore) {
  const struct timespec end = {4000000000, 0};
  return sem_timedwait(semaphore, &end) == 0;
}

#ifdef BOTH_WAYS
static void *use(void *unused) {
  if (!take(&second)) return unused;
  sem_wait(&first);
  sem_post(&first);
  sem_post(&second);
  return unused;
}

static void use_too(void) {
  if (!take(&first)) return;
  sem_wait(&second);
  sem_post(&second);
  sem_post(&first);
}
#else
static void *use(void *unused) {
  if (!take(&first)) return unused;
  const int before = count;
  count = before + 1;
  ++taken;
  sem_post(&first);
  return unused;
}

static void use_too(void) { use(NULL); }
#endif

int main(void) {
  pthread_t thread;
  sem_init(&first, 0, 1);
  sem_init(&second, 0, 1);
  pthread_create(&thread, NULL, use, NULL);
  use_too();
  pthread_join(thread, NULL);
  assert(count == taken);
  return 0;
}
