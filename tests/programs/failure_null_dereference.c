// SPDX-License-Identifier: Apache-2.0
// A thread reads through a pointer that nobody has set.
// heddle: expect null-dereference
// heddle: schedules all
#include <pthread.h>
#include <stddef.h>

struct Node {
  long padding[4];
  int value;
};

static struct Node* head;

static void* worker(void* argument) {
  *(int*)argument = head->value;
  return NULL;
}

int main(void) {
  pthread_t thread;
  int value = 0;
  if (pthread_create(&thread, NULL, worker, &value) != 0) return 1;
  pthread_join(thread, NULL);
  return value;
}
