// SPDX-License-Identifier: Apache-2.0
//
// What a thread has read decides whether its first block is a large one or a small one, so
// that the same addresses belong to one block in some executions and to others in other ones.
// The large one may be released before another thread looks into it; whoever has met the small
// ones first must not take its inside for nobody's.
//
// heddle-check: all=violated finding=use-after-free
// heddle-check: cflags='-DLOCKED' all=holds
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int is_large;
static _Atomic(char *) shared;
static int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *allocate(void *unused) {
  if (atomic_load(&is_large)) {
    char *large = malloc(400);
    atomic_store(&shared, large);
  } else {
    for (int i = 0; i < 4; ++i) free(malloc(16));
  }
  return unused;
}

static void *decide(void *unused) {
  atomic_store(&is_large, 1);
  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&mutex);
  char *block = atomic_load(&shared);
#ifndef LOCKED
  pthread_mutex_unlock(&mutex);
#endif
  if (block) sum = block[70];
#ifdef LOCKED
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

static void *release(void *unused) {
  pthread_mutex_lock(&mutex);
  char *block = atomic_exchange(&shared, NULL);
  if (block) free(block);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  void *(*const bodies[])(void *) = {allocate, decide, look, release};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
