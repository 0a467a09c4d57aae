// SPDX-License-Identifier: Apache-2.0
// setjmp and longjmp unwind calls within one thread, in two threads at a time, with volatile locals kept.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>

static void descend(jmp_buf* target, int depth) {
  sched_yield();
  if (depth == 0) longjmp(*target, 7);
  descend(target, depth - 1);
}

static void* worker(void* argument) {
  jmp_buf target;
  volatile int tries = 0;
  int code = setjmp(target);
  tries++;
  if (code == 0) descend(&target, *(int*)argument);
  assert(code == 7 && tries == 2);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int depths[2] = {1, 4};
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, &depths[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
