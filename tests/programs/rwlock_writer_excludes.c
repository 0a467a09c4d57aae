// SPDX-License-Identifier: Apache-2.0
// A writer has the lock alone: readers never see its two fields differ, writers never lose an update.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rwlock-write >=4
// heddle: contains rwlock-unlock >=6
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;

static void* writer(void* argument) {
  for (int i = 0; i < 2; i++) {
    assert(pthread_rwlock_wrlock(&lock) == 0);
    first++;
    second++;
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
  return argument;
}

static void* reader(void* argument) {
  for (int i = 0; i < 2; i++) {
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(first == second);
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  assert(pthread_create(&threads[0], NULL, writer, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, reader, NULL) == 0);
  assert(pthread_create(&threads[2], NULL, writer, NULL) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(first == 4 && second == 4);
  return 0;
}
