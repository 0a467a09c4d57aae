// SPDX-License-Identifier: Apache-2.0
// strcpy, strncpy, strlen, strcmp, strcat, strchr, strtol and snprintf on text that two threads share.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[64] = "0";

static void* worker(void* argument) {
  char field[8];
  for (int i = 0; i < 2; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    strncpy(field, text, sizeof field);
    long number = strtol(field, NULL, 10) + 1;
    size_t length = (size_t)snprintf(text, sizeof text, "%ld items", number);
    assert(strlen(text) == length);
    strcat(text, ";");
    assert(strchr(text, ';') == text + length && strstr(text, "items") != NULL);
    strcpy(field, "x");
    assert(strcmp(field, text) > 0 && strncmp(text, field, 0) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(strcmp(text, "4 items;") == 0);
  return 0;
}
