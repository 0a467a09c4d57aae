// SPDX-License-Identifier: Apache-2.0
//
// pfscan: a parallel scanner, three threads. Workers take pieces off a queue; the
// number of workers that are still at work is decreased outside its lock, so that
// it may come out wrong.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { kWorkers = 2, kPieces = 4 };

static const char text[] = "a needle in a haystack, a needle in a needle";
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER, match_lock = PTHREAD_MUTEX_INITIALIZER;
static int next_piece;
static int matches;
static volatile int workers = kWorkers;

static int scan(int piece) {
  int found = 0;
  const int length = (int)sizeof text / kPieces;
  for (int i = piece * length; i < (piece + 1) * length; ++i) found += text[i] == 'n';
  return found;
}

static void* work(void* unused) {
  for (;;) {
    pthread_mutex_lock(&queue_lock);
    int piece = next_piece < kPieces ? next_piece++ : -1;
    pthread_mutex_unlock(&queue_lock);
    if (piece < 0) break;
    int found = scan(piece);
    usleep(500);
    pthread_mutex_lock(&match_lock);
    matches += found;
    pthread_mutex_unlock(&match_lock);
  }
  int left = workers;
  usleep(2000);
  workers = left - 1;
  return unused;
}

int main(void) {
  pthread_t threads[kWorkers];
  for (int i = 0; i < kWorkers; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < kWorkers; ++i) pthread_join(threads[i], 0);
  assert(workers == 0);
  return 0;
}
