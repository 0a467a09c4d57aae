// SPDX-License-Identifier: Apache-2.0
//
// Every access holds the lock, but between the look at the seats and the booking
// another thread may close the hall. A run in which it did not shows that it could:
// heddle predict --find=atomicity.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 3;

static void* book(void* unused) {
  pthread_mutex_lock(&lock);
  const int is_free = seats > 0;
  pthread_mutex_unlock(&lock);
  if (!is_free) return unused;
  pthread_mutex_lock(&lock);
  seats = seats - 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* close_hall(void* unused) {
  pthread_mutex_lock(&lock);
  seats = 0;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t visitor, owner;
  pthread_create(&visitor, NULL, book, NULL);
  pthread_create(&owner, NULL, close_hall, NULL);
  pthread_join(visitor, NULL);
  pthread_join(owner, NULL);
  return 0;
}
