// SPDX-License-Identifier: Apache-2.0
// Two threads append lines to one temporary file; main reads both back, each whole.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE* file;

static void* writer(void* argument) {
  for (int i = 0; i < 2; i++) assert(fprintf(file, "%d:%d\n", *(int*)argument, i) == 4);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int ids[2] = {3, 4}, id, line, next[2] = {0, 0}, lines = 0;
  file = tmpfile();
  assert(file != NULL);
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, writer, &ids[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  rewind(file);
  while (fscanf(file, "%d:%d", &id, &line) == 2) {
    assert(id == 3 || id == 4);
    assert(line == next[id - 3]++);
    lines++;
  }
  assert(lines == 4);
  assert(fclose(file) == 0);
  return 0;
}
