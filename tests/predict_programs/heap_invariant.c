// SPDX-License-Identifier: Apache-2.0
// heddle: recipe
// heddle: mcm
//
// The second thread could read the first object, and no branch would go another
// way. But then it would not access the second one: figure 6 of the RECIPE paper.
#include <pthread.h>
#include <stdlib.h>

struct object {
  int field;
};

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static struct object *a;
static int result;

static void publish(struct object *object) {
  pthread_mutex_lock(&l);
  a = object;
  pthread_mutex_unlock(&l);
}

static void *make(void *unused) {
  struct object *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
  publish(one);
  two->field = 5;
  publish(two);
  return unused;
}

static void *use(void *unused) {
  pthread_mutex_lock(&l);
  struct object *object = a;
  pthread_mutex_unlock(&l);
  if (object) result = object->field;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, make, NULL);
  pthread_create(&two, NULL, use, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
