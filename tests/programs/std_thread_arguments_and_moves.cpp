// SPDX-License-Identifier: Apache-2.0
// std::thread copies its arguments, passes references through std::ref, and can be moved and swapped.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains thread-create >=2
#include <cassert>
#include <functional>
#include <string>
#include <thread>
#include <utility>

struct Adder {
  int total = 0;
  void add(int n) { total += n; }
};

int main() {
  std::string text = "abc";
  std::string copy_of_text;
  std::thread first([](std::string copy, std::string& out) { out = copy + "!"; }, text, std::ref(copy_of_text));
  text = "changed";
  Adder adder;
  std::thread second(&Adder::add, &adder, 4);
  std::thread moved = std::move(first);
  assert(!first.joinable() && moved.joinable());
  std::swap(moved, second);
  assert(moved.get_id() != second.get_id());
  assert(moved.get_id() != std::this_thread::get_id());
  moved.join();
  second.join();
  assert(copy_of_text == "abc!" && adder.total == 4);
  assert(moved.get_id() == std::thread::id());
  return 0;
}
