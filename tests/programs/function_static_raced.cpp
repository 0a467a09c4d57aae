// SPDX-License-Identifier: Apache-2.0
// A function-local static is built once although two threads reach it; both see the whole object.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains once-enter
#include <cassert>
#include <string>
#include <thread>

int constructions = 0;

struct Table {
  std::string name;
  int size = 0;
  Table() {
    constructions++;
    name = "a name that is too long for the small string buffer";
    std::this_thread::yield();
    size = 12;
  }
};

Table& table() {
  static Table instance;
  return instance;
}

int main() {
  auto use = [] { assert(table().size == 12 && table().name.size() == 51); };
  std::thread first(use), second(use);
  first.join();
  second.join();
  assert(constructions == 1);
  return 0;
}
