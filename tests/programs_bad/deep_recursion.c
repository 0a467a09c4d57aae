// SPDX-License-Identifier: Apache-2.0
//
// Recursion without end runs out of stack: a crash of the program, never of
// Heddle. -DDEPTH=... ends it; some thousand frames fit.
//
// heddle-bad: exit=1 says='stack overflow|SEGV' seconds=30
// heddle-bad: cflags='-DDEPTH=5000' exit=0 says='' seconds=30
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int frames;

static int descend(int depth) {
#ifdef DEPTH
  if (depth == DEPTH) return depth;
#endif
  return descend(depth + 1) + 1;
}

static void *run(void *unused) {
  atomic_store(&frames, descend(0));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL);
  return 0;
}
