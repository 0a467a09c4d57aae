// SPDX-License-Identifier: Apache-2.0
// heddle: recipe 19,28
// heddle: mcm
//
// Another value of the index leads to the same element: the access stays where it is.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int cells[2], index, result;

static void set_index(int value) {
  pthread_mutex_lock(&l);
  index = value;
  pthread_mutex_unlock(&l);
}

static void *write_all(void *unused) {
  set_index(3);
  cells[1] = 7;
  set_index(5);
  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&l);
  const int at = index;
  pthread_mutex_unlock(&l);
  result = cells[at & 1];
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_all, NULL);
  pthread_create(&two, NULL, look, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
