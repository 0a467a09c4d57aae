// SPDX-License-Identifier: Apache-2.0
//
// Two string buffers, each with a lock of its own (java.lang.StringBuffer). The
// first thread appends one to the other: it asks for the length and copies so many
// characters in two critical sections of the source, and the second thread erases
// the source in between: the length is stale (every memory model). The third
// inserts a character. A thread that finds the error unlocks and ends.
//
// -DLENGTH=... characters at the start.
//
// heddle-check: all=violated finding=assertion classes=18
#include "paper.h"

#ifndef LENGTH
#define LENGTH 2
#endif

struct Buffer {
  shared_char value[2 * LENGTH + 2];
  shared_int count;
  pthread_mutex_t mutex;
};
static struct Buffer source, destination;

static int length(struct Buffer *buffer) {
  LOCK(buffer->mutex);
  const int count = READ(buffer->count);
  UNLOCK(buffer->mutex);
  return count;
}

static void *append(void *unused) {
  LOCK(destination.mutex);
  const int wanted = length(&source);
  LOCK(source.mutex);
  if (wanted > READ(source.count)) {
    BUG_HAPPENED();
    UNLOCK(source.mutex);
    UNLOCK(destination.mutex);
    return unused;
  }
  for (int i = 0; i < wanted; i++) WRITE(destination.value[i], READ(source.value[i]));
  UNLOCK(source.mutex);
  WRITE(destination.count, wanted);
  UNLOCK(destination.mutex);
  return unused;
}

static void *erase(void *unused) {
  const int removed = length(&source);
  LOCK(source.mutex);
  const int left = READ(source.count) - removed;
  for (int i = 0; i < left; i++) WRITE(source.value[i], READ(source.value[i + removed]));
  WRITE(source.count, left);
  UNLOCK(source.mutex);
  return unused;
}

static void *insert(void *unused) {
  LOCK(source.mutex);
  const int count = READ(source.count);
  for (int i = count; i > 0; i--) WRITE(source.value[i], READ(source.value[i - 1]));
  WRITE(source.value[0], 'a');
  WRITE(source.count, count + 1);
  UNLOCK(source.mutex);
  return unused;
}

int main(void) {
  pthread_t appender, eraser, inserter;
  pthread_mutex_init(&source.mutex, NULL);
  pthread_mutex_init(&destination.mutex, NULL);
  for (int i = 0; i < LENGTH; i++) WRITE(source.value[i], (char)('x' + i));
  WRITE(source.count, LENGTH);
  START(appender, append, 0);
  START(eraser, erase, 0);
  START(inserter, insert, 0);
  JOIN(appender);
  JOIN(eraser);
  JOIN(inserter);
  ASSERT_NO_BUG();
  return 0;
}
