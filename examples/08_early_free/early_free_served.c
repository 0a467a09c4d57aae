// SPDX-License-Identifier: Apache-2.0
//
// The same mistake as early_free.c, as it happens in a service: nobody looks, and once
// in a while it crashes. Main takes the queue away as soon as all entries are in it,
// and the reader may come to look once more.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct queue {
  int entries, taken;
};

static struct queue* queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* reader(void* unused) {
  for (int round = 0; round < 2; ++round) {
    pthread_mutex_lock(&lock);
    queue->taken = queue->entries;
    pthread_mutex_unlock(&lock);
    usleep(20000);
  }
  return unused;
}

int main(void) {
  queue = calloc(1, sizeof *queue);
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  pthread_mutex_lock(&lock);
  queue->entries++;
  pthread_mutex_unlock(&lock);
  usleep(5000);
  pthread_mutex_lock(&lock);
  free(queue);
  queue = NULL;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
