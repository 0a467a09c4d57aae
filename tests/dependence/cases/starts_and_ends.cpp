// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <stdlib.h>
#include <string.h>
extern "C" int __heddle_nondet_int(int lowest, int highest);
static int v, w, x, y, z;
struct Early {
  int a;
  Early() {
    int drawn = __heddle_nondet_int(0, 2);      // from a, steers a
    a = drawn;
    if (drawn == 2) exit(3);
  }
  ~Early() { x = 1; }                           // on a
};
static Early early;
static void handler(int) { y = 1; }             // on a, on b
static void other(int) { if (w == 5) exit(4); z = 1; }  // on a, on c
int main() {
  w = 1;                                        // on a, not b
  int b = __heddle_nondet_int(0, 1);            // from b, steers b
  int c = __heddle_nondet_int(0, 1);            // from c, steers c
  signal(SIGUSR1, handler);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = other;
  sigaction(SIGUSR2, &action, nullptr);
  if (b) raise(SIGUSR1);
  if (c) raise(SIGUSR2);
  v = 2;                                        // on a
  return 0;
}
