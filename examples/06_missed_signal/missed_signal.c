// SPDX-License-Identifier: Apache-2.0
//
// A thread waits for a message that another thread announces by a signal. It looks
// at the flag before it takes the lock. If the message comes between that look and
// the wait, nobody is there to be woken, and the signal is lost.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static atomic_int message;

static void* receive(void* argument) {
  if (message == 0) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&arrived, &lock);
    pthread_mutex_unlock(&lock);
  }
  return argument;
}

static void* send(void* argument) {
  message = 42;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t receiver, sender;
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_create(&sender, NULL, send, NULL);
  pthread_join(receiver, NULL);
  pthread_join(sender, NULL);
  return 0;
}
