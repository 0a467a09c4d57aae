// SPDX-License-Identifier: Apache-2.0
// Virtual calls, dynamic_cast, typeid, std::function and std::variant work on objects shared between threads.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <typeinfo>
#include <variant>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  int side = 3;
  int area() const override { return side * side; }
};
struct Bar : Shape {
  int length = 5;
  int area() const override { return length; }
};

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Square>());
  shapes.push_back(std::make_unique<Bar>());
  int areas[2] = {0, 0};
  std::variant<int, std::string> outcome = 1;
  std::function<void(int)> measure = [&](int i) { areas[i] = shapes[i]->area(); };
  std::thread first(measure, 0), second(measure, 1);
  std::thread third([&] {
    assert(dynamic_cast<Square*>(shapes[0].get()) && !dynamic_cast<Square*>(shapes[1].get()));
    const Shape& bar = *shapes[1];
    assert(typeid(bar) == typeid(Bar));
    outcome = std::string("text that needs memory of its own");
  });
  first.join();
  second.join();
  third.join();
  assert(areas[0] == 9 && areas[1] == 5 && std::get<std::string>(outcome).size() == 33);
  return 0;
}
