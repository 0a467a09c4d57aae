// SPDX-License-Identifier: Apache-2.0
// strcpy is many stores: in the default schedule the reader sees a whole string; under others it sees a torn one.
// heddle: expect exit 0
// heddle: schedules default
// heddle: contains store >=6
#include <pthread.h>
#include <string.h>

static char text[8] = "aaaaa";

static void* writer(void* argument) {
  strcpy(text, "bbbbb");
  return argument;
}

int main(void) {
  char seen[8];
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  strcpy(seen, text);
  pthread_join(thread, NULL);
  return strcmp(seen, "aaaaa") != 0 && strcmp(seen, "bbbbb") != 0;
}
