// SPDX-License-Identifier: Apache-2.0
// The reader fails only if it comes between two writes; run one after the other it is fine.
// heddle: expect exit 0
// heddle: schedules default
#include <assert.h>
#include <pthread.h>

static int low, high;

static void* writer(void* argument) {
  low = 1;
  high = 1;
  return argument;
}

static void* reader(void* argument) {
  assert(low == high);
  return argument;
}

int main(void) {
  pthread_t first, second;
  if (pthread_create(&first, NULL, writer, NULL) != 0) return 1;
  if (pthread_create(&second, NULL, reader, NULL) != 0) return 1;
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
