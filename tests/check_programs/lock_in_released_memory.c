// SPDX-License-Identifier: Apache-2.0
//
// A mutex, or a semaphore, is part of a block that another thread releases. Whether a
// use of it comes too late depends on an order that no value shows. If the last
// user releases the block, nothing is wrong.
//
// heddle-check: all=violated finding=use-after-free reduce=learn,dpor
// heddle-check: cflags='-DPOST' all=violated finding=use-after-free reduce=learn,dpor
// heddle-check: cflags='-DCOUNTED' all=holds without=use-after-free reduce=learn,dpor
// heddle-check: all=undecided reason=not-modelled reduce=mcr
// heddle-check: cflags='-DJOIN_FIRST' all=holds
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct Block {
  pthread_mutex_t mutex;
  sem_t semaphore;
  atomic_int users;
};

static int noise;

static void leave(struct Block *block) {
#ifdef COUNTED
  if (atomic_fetch_sub(&block->users, 1) == 1) free(block);
#else
  (void)block;
#endif
}

static void *use(void *argument) {
  struct Block *block = argument;
  noise = 1;  // what comes before concerns nobody
#ifdef POST
  sem_post(&block->semaphore);
#else
  pthread_mutex_lock(&block->mutex);
  pthread_mutex_unlock(&block->mutex);
#endif
  leave(block);
  return NULL;
}

static void *release(void *block) {
#ifdef COUNTED
  leave(block);
#else
  free(block);
#endif
  return NULL;
}

int main(void) {
  pthread_t user, releaser;
  struct Block *block = calloc(1, sizeof *block);
  pthread_mutex_init(&block->mutex, NULL);
  sem_init(&block->semaphore, 0, 0);
  atomic_init(&block->users, 2);
  pthread_create(&user, NULL, use, block);
#ifdef JOIN_FIRST
  pthread_join(user, NULL);
#endif
  pthread_create(&releaser, NULL, release, block);
#ifndef JOIN_FIRST
  pthread_join(user, NULL);
#endif
  pthread_join(releaser, NULL);
  return 0;
}
