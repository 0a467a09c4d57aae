// SPDX-License-Identifier: Apache-2.0
//
// A reader locks once more while a writer waits. Where writers are preferred, it waits for
// the writer, which waits for it.
//
// heddle-check: all=violated finding=deadlock reduce=learn,dpor
// heddle-check: cflags='-DREADERS_FIRST' all=holds
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

#ifdef READERS_FIRST
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#endif

static void *write_it(void *unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, NULL, write_it, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(writer, NULL);
  return 0;
}
