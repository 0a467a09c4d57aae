// SPDX-License-Identifier: Apache-2.0
// Structs are assigned, passed and returned by value, through memory that two threads share under a lock.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>

struct Point {
  double x, y;
};
struct Shape {
  char name[19];
  struct Point corner[3];
  short sides;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct Shape shared = {"triangle", {{0, 0}, {1, 0}, {0, 1}}, 3};

static struct Shape moved(struct Shape shape, struct Point by) {
  for (int i = 0; i < 3; i++) shape.corner[i] = (struct Point){shape.corner[i].x + by.x, shape.corner[i].y + by.y};
  return shape;
}

static void* worker(void* argument) {
  for (int i = 0; i < 2; i++) {
    assert(pthread_mutex_lock(&mutex) == 0);
    struct Shape copy = shared;
    shared = moved(copy, (struct Point){1, -1});
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(shared.corner[1].x == 5 && shared.corner[2].y == -3);
  assert(shared.name[0] == 't' && shared.name[8] == 0 && shared.sides == 3);
  return 0;
}
