// SPDX-License-Identifier: Apache-2.0
// Endless recursion runs a thread's stack into its guard page.
// heddle: expect signal SEGV
// heddle: schedules all
#include <pthread.h>

static int descend(int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = (char)depth;
  return depth < 0 ? 0 : descend(depth + 1) + frame[depth % 4096];
}

static void* worker(void* argument) {
  *(int*)argument = descend(0);
  return NULL;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  int result;
  if (pthread_attr_init(&attributes) != 0) return 1;
  if (pthread_attr_setstacksize(&attributes, 1 << 18) != 0) return 1;
  if (pthread_create(&thread, &attributes, worker, &result) != 0) return 1;
  pthread_join(thread, NULL);
  return 0;
}
