// SPDX-License-Identifier: Apache-2.0
// A handler that would interrupt another thread is not modelled, and said so.
// heddle: expect unsupported
// heddle: schedules all
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t end;

static void handle(int number) { (void)number; }

static void* waiter(void* argument) {
  sem_wait(&end);
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&end, 0, 0);
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_kill(thread, SIGUSR1);
  sem_post(&end);
  pthread_join(thread, NULL);
  return 0;
}
