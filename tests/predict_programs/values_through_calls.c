// SPDX-License-Identifier: Apache-2.0
// heddle: recipe 31,40
// heddle: mcm
//
// Arguments and results carry values, also of functions that are called through
// pointers: figure 5 of the RECIPE paper. 2 * 3 > 5 as well as 2 * 4 > 5.
#include <pthread.h>

struct object {
  int (*scale)(int);
};

static int twice(int value) {
  const int doubled = 2 * value;
  return doubled;
}
static int keep(int value) { return value; }

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static struct object first = {twice}, second = {keep};
static int x, y, result;

static void set_y(int value) {
  pthread_mutex_lock(&l);
  y = second.scale(value);
  pthread_mutex_unlock(&l);
}

static void *write_all(void *unused) {
  set_y(3);
  x = 1;
  set_y(4);
  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&l);
  const int seen = first.scale(y);
  pthread_mutex_unlock(&l);
  if (seen > 5) result = x;
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
