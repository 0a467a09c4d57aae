// SPDX-License-Identifier: Apache-2.0
// A member function of a deleted object reads its fields.
// heddle: expect use-after-free
// heddle: schedules all
#include <thread>

struct Counter {
  int value = 0;
  int increment() { return ++value; }
};

static Counter* counter = new Counter;

int main() {
  std::thread([] { delete counter; }).join();
  return counter->increment() > 100 ? 1 : 0;
}
