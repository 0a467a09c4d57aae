// SPDX-License-Identifier: Apache-2.0
// heddle: recipe 24,44 25,41
// heddle: mcm
//
// On the side that is not taken there are branches, a switch and a call: each of its paths
// is one of its own. No value leads to the last one.
#include <pthread.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int u, v, x, y, result;

static void set_y(int value) {
  pthread_mutex_lock(&l);
  y = value;
  pthread_mutex_unlock(&l);
}

static int twice(int value) { return 2 * value; }

static void *write_all(void *unused) {
  set_y(3);
  // between two values of y
  {
    v = 1;
    u = 1;
  }
  set_y(7);
  x = 1;
  set_y(5);
  return unused;
}

static void *choose(void *unused) {
  pthread_mutex_lock(&l);
  const int seen = y;
  pthread_mutex_unlock(&l);
  if (seen != 5) {
    if (seen > 2)
      switch (twice(seen)) {
        case 6:
          result = u;
          // and
          if (result == 0)
            result = v;
          break;
        case 8: result = x; break;
        default: break;
      }
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, write_all, NULL);
  pthread_create(&two, NULL, choose, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
