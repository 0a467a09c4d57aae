// SPDX-License-Identifier: Apache-2.0
//
// aget: a parallel download, four threads. On an interrupt the number of bytes
// that were written and the places that each part has come to are saved, while
// the parts go on: what is saved does not fit together.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { kParts = 2, kChunks = 5, kBytes = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int written;
static volatile int offsets[kParts];
static int saved_written, saved_offsets[kParts];

static void* download(void* argument) {
  long part = (long)argument;
  for (int i = 0; i < kChunks; ++i) {
    usleep(400);
    offsets[part] = offsets[part] + kBytes;
    pthread_mutex_lock(&lock);
    written = written + kBytes;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void* interrupted(void* unused) {
  usleep(900);
  pthread_mutex_lock(&lock);
  saved_written = written;
  pthread_mutex_unlock(&lock);
  usleep(1500);
  for (int i = 0; i < kParts; ++i) saved_offsets[i] = offsets[i];
  return unused;
}

int main(void) {
  pthread_t parts[kParts], handler;
  for (long i = 0; i < kParts; ++i) pthread_create(&parts[i], 0, download, (void*)i);
  pthread_create(&handler, 0, interrupted, 0);
  pthread_join(handler, 0);
  int sum = 0;
  for (int i = 0; i < kParts; ++i) sum += saved_offsets[i];
  assert(sum == saved_written);
  for (int i = 0; i < kParts; ++i) pthread_join(parts[i], 0);
  return 0;
}
