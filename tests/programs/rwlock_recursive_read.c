// SPDX-License-Identifier: Apache-2.0
// A thread may hold a read lock more than once; the writer comes in after the last unlock.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* try_write(void* argument) {
  int code = pthread_rwlock_trywrlock(&lock);
  if (code == 0) assert(pthread_rwlock_unlock(&lock) == 0);
  *(int*)argument = code;
  return NULL;
}

static int write_in_thread(void) {
  pthread_t thread;
  int code = -1;
  assert(pthread_create(&thread, NULL, try_write, &code) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return code;
}

int main(void) {
  assert(pthread_rwlock_rdlock(&lock) == 0);
  assert(pthread_rwlock_rdlock(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(write_in_thread() == EBUSY);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(write_in_thread() == 0);
  return 0;
}
