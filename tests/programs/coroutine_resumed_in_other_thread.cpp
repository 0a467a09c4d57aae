// SPDX-License-Identifier: Apache-2.0
// A coroutine is suspended in one thread and resumed in another; its locals move along.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <coroutine>
#include <exception>
#include <thread>

struct Task {
  struct promise_type {
    int value = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

Task count(int from) {
  for (int n = from; n < from + 2; n++) co_yield n* n;
}

int main() {
  Task task = count(4);
  std::thread([&] { task.handle.resume(); }).join();
  assert(task.handle.promise().value == 16);
  task.handle.resume();
  assert(task.handle.promise().value == 25);
  std::thread([&] { task.handle.resume(); }).join();
  assert(task.handle.done());
  task.handle.destroy();
  return 0;
}
