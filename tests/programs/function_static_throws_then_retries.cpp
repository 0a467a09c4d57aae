// SPDX-License-Identifier: Apache-2.0
// A function-local static whose constructor throws is built again by the next thread that comes.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> tries{0}, caught{0};

struct Picky {
  Picky() {
    if (++tries == 1) throw 1;
  }
  int value = 8;
};

int get() {
  static Picky picky;
  return picky.value;
}

int main() {
  auto use = [] {
    try {
      assert(get() == 8);
    } catch (int) {
      caught++;
    }
  };
  std::thread first(use), second(use);
  first.join();
  second.join();
  assert(tries == 2 && caught == 1);
  assert(get() == 8 && tries == 2);
  return 0;
}
