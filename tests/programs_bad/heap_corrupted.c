// SPDX-License-Identifier: Apache-2.0
//
// Two threads use one heap block; one writes behind its end. With -DFAR memset
// writes on for megabytes, with -DLIBRARY the C library does the writing. The
// block is freed afterwards, as programs with such bugs do.
//
// heddle-bad: exit=1 says='out-of-bounds|out of bounds' seconds=30
// heddle-bad: cflags='-DFAR' exit=1 says='out-of-bounds|out of bounds' seconds=30
// heddle-bad: cflags='-DLIBRARY' exit=1 says='out-of-bounds|out of bounds' seconds=30
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *block;

static void *corrupt(void *unused) {
#ifdef FAR
  memset(block, 1, 64 << 20);
#elif defined(LIBRARY)
  snprintf(block, 1000, "%0900d", 7);
#else
  for (int i = 0; i < 32; i++) block[i] = 1;
#endif
  return unused;
}

static void *use(void *unused) {
  char *own = malloc(16);
  own[0] = block[0];
  free(own);
  return unused;
}

int main(void) {
  pthread_t one, two;
  block = malloc(16);
  pthread_create(&one, NULL, corrupt, NULL);
  pthread_create(&two, NULL, use, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  free(block);
  return 0;
}
