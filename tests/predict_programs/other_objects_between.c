// SPDX-License-Identifier: Apache-2.0
// heddle: mcm
// heddle: recipe 36,45
// heddle: hb
//
// As in branch_under_lock.c any y > 2 would do for the branch. In the run that is
// seen, a semaphore, a reader-writer lock, a condition and a mutex that is only tried
// were used by the writer before the reader used them, but the other order is possible.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, tried = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int x = 1, y, z = 2;

static void use_objects(void) {
  sem_wait(&semaphore);
  sem_post(&semaphore);
  pthread_rwlock_wrlock(&shared);
  pthread_rwlock_unlock(&shared);
  pthread_cond_broadcast(&condition);
  if (pthread_mutex_trylock(&tried) == 0) pthread_mutex_unlock(&tried);
}

static void set(int value) {
  pthread_mutex_lock(&l);
  y = value;
  pthread_mutex_unlock(&l);
}

static void *write_all(void *unused) {
  set(3);
  use_objects();
  x = 1;
  set(5);
  return use_objects(), unused;
}

static void *divide(void *unused) {
  pthread_mutex_lock(&l);
  const int large = y > z;
  pthread_mutex_unlock(&l);
  if (use_objects(), large) z = 1 / x;
  return unused;
}

int main(void) {
  pthread_t one, two;
  sem_init(&semaphore, 0, 1);
  pthread_create(&one, NULL, write_all, NULL);
  pthread_create(&two, NULL, divide, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  sem_destroy(&semaphore);
  return 0;
}
