// SPDX-License-Identifier: Apache-2.0
// Two threads print at once: the lines stay whole, their order is the schedule's.
// heddle: expect exit 0
// heddle: stdout thread 0
// heddle: stdout thread 1
// heddle: any-schedule-stdout no
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void* worker(void* argument) {
  printf("thread %d\n", *(int*)argument);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int ids[2] = {0, 1};
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &ids[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
