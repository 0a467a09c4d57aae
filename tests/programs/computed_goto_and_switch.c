// SPDX-License-Identifier: Apache-2.0
// An interpreter loop with labels as values and a switch, run by two threads on shared code.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum Op { kPush, kAdd, kDouble, kStop };

static const unsigned char code[] = {kPush, 3, kPush, 4, kAdd, kDouble, kStop};

static intptr_t interpret(const unsigned char* at) {
  static const void* const labels[] = {&&push, &&add, &&twice, &&stop};
  intptr_t stack[4], *top = stack;
  goto* labels[*at++];
push:
  *top++ = *at++;
  goto* labels[*at++];
add:
  top--;
  top[-1] += top[0];
  goto* labels[*at++];
twice:
  switch (top[-1] % 3) {
    case 0: return -1;
    case 1: top[-1] *= 2; break;
    default: return -2;
  }
  goto* labels[*at++];
stop:
  return top[-1];
}

static void* worker(void* argument) {
  (void)argument;
  return (void*)interpret(code);
}

int main(void) {
  pthread_t threads[2];
  void* result;
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], &result) == 0 && (intptr_t)result == 14);
  return 0;
}
