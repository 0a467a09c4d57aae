// SPDX-License-Identifier: Apache-2.0
// memcpy, memmove, memset, memcmp and memchr on a buffer that two threads use under a lock.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char buffer[37];

static void* worker(void* argument) {
  unsigned char mark = *(unsigned char*)argument, copy[37];
  for (int i = 0; i < 3; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    memset(buffer, mark, sizeof buffer);
    buffer[36] = 0xff;
    memcpy(copy, buffer, sizeof copy);
    memmove(buffer + 1, buffer, sizeof buffer - 1);
    assert(buffer[36] == mark);
    assert(memcmp(copy, buffer, 36) == 0 && memcmp(copy, buffer, 37) > 0);
    assert(memchr(copy, 0xff, sizeof copy) == copy + 36);
    assert(memchr(buffer, 0xff, sizeof buffer) == NULL);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  unsigned char marks[2] = {3, 9};
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &marks[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(buffer[0] == buffer[36] && (buffer[0] == 3 || buffer[0] == 9));
  return 0;
}
