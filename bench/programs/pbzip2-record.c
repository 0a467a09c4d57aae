// SPDX-License-Identifier: Apache-2.0
//
// pbzip2: a parallel compressor, five threads. The main thread takes the queue
// apart when all blocks are written, though a consumer may not have looked at it
// for the last time.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { kConsumers = 3, kBlocks = 6 };

struct queue {
  int* blocks;
  int head, tail;
};

static struct queue* fifo;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int written, is_over;

static void* produce(void* unused) {
  for (int i = 0; i < kBlocks; ++i) {
    pthread_mutex_lock(&lock);
    fifo->blocks[fifo->tail] = i + 1;
    fifo->tail = fifo->tail + 1;
    pthread_mutex_unlock(&lock);
    usleep(300);
  }
  is_over = 1;
  return unused;
}

static void* consume(void* argument) {
  long number = (long)argument;
  for (;;) {
    int block = 0;
    pthread_mutex_lock(&lock);
    if (fifo->head < fifo->tail) {
      block = fifo->blocks[fifo->head];
      fifo->head = fifo->head + 1;
    }
    if (block) written = written + 1;
    int all = written == kBlocks;
    pthread_mutex_unlock(&lock);
    if (block == 0 && is_over) break;
    if (all && number == 0) break;
    usleep(block ? 200 : 1000);
  }
  usleep(5000);
  int* rest = fifo->blocks;  // taken apart?
  return (void*)(long)rest[0];
}

int main(void) {
  fifo = malloc(sizeof *fifo);
  fifo->blocks = calloc(kBlocks, sizeof(int));
  fifo->head = fifo->tail = 0;
  pthread_t producer, consumers[kConsumers];
  pthread_create(&producer, 0, produce, 0);
  for (long i = 0; i < kConsumers; ++i) pthread_create(&consumers[i], 0, consume, (void*)i);
  pthread_join(producer, 0);
  for (;;) {
    pthread_mutex_lock(&lock);
    int all = written == kBlocks;
    pthread_mutex_unlock(&lock);
    if (all) break;
    usleep(200);
  }
  int* blocks = fifo->blocks;
  fifo->blocks = 0;
  free(blocks);
  for (int i = 0; i < kConsumers; ++i) pthread_join(consumers[i], 0);
  free(fifo);
  return 0;
}
