// SPDX-License-Identifier: Apache-2.0
//
// A queue with one reader. Main puts an entry into it, tells the reader to stop, and
// frees the queue, but does not wait until the reader has noticed: it may still be
// about to look into the queue.
#include <pthread.h>
#include <stdlib.h>

struct queue {
  pthread_mutex_t lock;
  int entries;
  int stop;
};

static void* reader(void* argument) {
  struct queue* queue = argument;
  for (int round = 0; round < 2; ++round) {
    pthread_mutex_lock(&queue->lock);
    if (queue->entries > 0) queue->entries--;
    const int stop = queue->stop;
    pthread_mutex_unlock(&queue->lock);
    if (stop) break;
  }
  return NULL;
}

int main(void) {
  struct queue* queue = calloc(1, sizeof *queue);
  pthread_t thread;
  pthread_mutex_init(&queue->lock, NULL);
  pthread_create(&thread, NULL, reader, queue);
  pthread_mutex_lock(&queue->lock);
  queue->entries++;
  queue->stop = 1;
  pthread_mutex_unlock(&queue->lock);
  free(queue);
  pthread_join(thread, NULL);
  return 0;
}
