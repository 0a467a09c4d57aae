// SPDX-License-Identifier: Apache-2.0
//
// The write comes before a critical section, the read after one of another
// thread. When the writer takes the lock first, the lock orders them; only the
// other order of the two sections shows the race. Which order it is makes no
// difference to what the threads read first, so one execution stands for both.
//
// heddle-check: options='--races' all=violated finding=race
// heddle-check: cflags='-DLOCKED' options='--races' all=holds
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data, writes, reads;

static void *write_it(void *unused) {
#ifdef LOCKED
  pthread_mutex_lock(&mutex);
  data = 1;
#else
  data = 1;
  pthread_mutex_lock(&mutex);
#endif
  ++writes;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *read_it(void *unused) {
  int seen = 0;
  pthread_mutex_lock(&mutex);
  ++reads;
#ifdef LOCKED
  seen = data;
  pthread_mutex_unlock(&mutex);
#else
  pthread_mutex_unlock(&mutex);
  seen = data;
#endif
  return seen ? unused : NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_it, NULL);
  pthread_create(&two, NULL, read_it, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
