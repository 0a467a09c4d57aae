// SPDX-License-Identifier: Apache-2.0
// A thread_local with a dynamic initialiser is initialised on first use, once in each thread that uses it.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> initialised{0};

int next_number() { return ++initialised; }

thread_local int number = next_number();

int own_number() {
  static thread_local int local = number * 10;
  return local;
}

int main() {
  std::thread unused([] {});
  unused.join();
  assert(initialised == 0);
  int first = 0, second = 0;
  std::thread a([&] { first = own_number() + own_number() - number * 10; });
  std::thread b([&] { second = own_number(); });
  a.join();
  b.join();
  assert(initialised == 2);
  assert((first == 10 && second == 20) || (first == 20 && second == 10));
  assert(number == 3);
  return 0;
}
