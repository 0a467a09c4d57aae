/* SPDX-License-Identifier: Apache-2.0 */
#include "team.h"

#include <stdlib.h>

#include "config.h"

enum { kChunk = 50 };

struct Work {
  team_function function;
  uint64_t count, next, sum;
};

#ifdef USE_THREADS
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* argument) {
  struct Work* work = argument;
  for (;;) {
    pthread_mutex_lock(&mutex);
    uint64_t from = work->next;
    work->next += kChunk;
    pthread_mutex_unlock(&mutex);
    if (from >= work->count) return NULL;
    uint64_t to = from + kChunk < work->count ? from + kChunk : work->count, sum = 0;
    for (uint64_t i = from; i < to; i++) sum += work->function(i);
    pthread_mutex_lock(&mutex);
    work->sum += sum;
    pthread_mutex_unlock(&mutex);
  }
}

uint64_t team_sum(team_function function, uint64_t count, int threads, int* used) {
  struct Work work = {function, count, 0, 0};
  pthread_t* members = calloc((size_t)threads, sizeof *members);
  for (*used = 0; *used < threads; ++*used) {
    if (pthread_create(&members[*used], NULL, worker, &work) != 0) break;
  }
  for (int i = 0; i < *used; i++) pthread_join(members[i], NULL);
  free(members);
  return work.sum;
}
#else
uint64_t team_sum(team_function function, uint64_t count, int threads, int* used) {
  uint64_t sum = 0;
  *used = threads > 0;
  for (uint64_t i = 0; i < count; i++) sum += function(i);
  return sum;
}
#endif
