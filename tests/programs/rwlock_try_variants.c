// SPDX-License-Identifier: Apache-2.0
// tryrdlock joins readers and refuses under a writer; trywrlock refuses under any holder.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rwlock-tryread >=3
// heddle: contains rwlock-trywrite >=3
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static int want_read, want_write;

static void* probe(void* argument) {
  int code = pthread_rwlock_tryrdlock(&lock);
  assert(code == want_read);
  if (code == 0) assert(pthread_rwlock_unlock(&lock) == 0);
  code = pthread_rwlock_trywrlock(&lock);
  assert(code == want_write);
  if (code == 0) assert(pthread_rwlock_unlock(&lock) == 0);
  return argument;
}

static void probe_in_thread(int read_code, int write_code) {
  pthread_t thread;
  want_read = read_code;
  want_write = write_code;
  assert(pthread_create(&thread, NULL, probe, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
}

int main(void) {
  assert(pthread_rwlock_init(&lock, NULL) == 0);
  probe_in_thread(0, 0);
  assert(pthread_rwlock_rdlock(&lock) == 0);
  probe_in_thread(0, EBUSY);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_wrlock(&lock) == 0);
  probe_in_thread(EBUSY, EBUSY);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
