// SPDX-License-Identifier: Apache-2.0
// alloca and variable-length arrays live on the thread's stack and may be shared while their frame lives.
// heddle: expect exit 0
// heddle: schedules all
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct Slice {
  int* cells;
  int count;
};

static void* fill(void* argument) {
  struct Slice* slice = argument;
  int copy[slice->count];
  for (int i = 0; i < slice->count; i++) copy[i] = i * i;
  memcpy(slice->cells, copy, sizeof copy);
  return NULL;
}

static int run(int count) {
  int* on_stack = alloca(sizeof(int) * count);
  int array[count];
  struct Slice slices[2] = {{on_stack, count}, {array, count}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, fill, &slices[i]) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(memcmp(on_stack, array, sizeof array) == 0);
  return array[count - 1];
}

int main(void) {
  assert(run(3) == 4);
  assert(run(9) == 64);
  return 0;
}
