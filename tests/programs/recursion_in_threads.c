// SPDX-License-Identifier: Apache-2.0
// Recursive functions with state on the stack run correctly in several threads at once.
// heddle: expect exit 0
// heddle: schedules all
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static long sum_of_local_addresses(int depth, long* above) {
  long here = depth;
  if (depth % 16 == 0) sched_yield();
  if (above) assert(*above == depth + 1);
  return depth == 0 ? 0 : here + sum_of_local_addresses(depth - 1, &here);
}

static void* worker(void* argument) {
  assert(ackermann(2, 3) == 9);
  assert(sum_of_local_addresses(100, NULL) == 5050);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, worker, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
