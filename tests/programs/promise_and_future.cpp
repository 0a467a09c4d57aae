// SPDX-License-Identifier: Apache-2.0
// A promise hands a value to a waiting thread; a second value or a broken promise is an error.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <future>
#include <string>
#include <thread>
#include <utility>

template <class Action>
static bool fails(Action action, std::future_errc expected) {
  try {
    action();
    return false;
  } catch (const std::future_error& error) {
    return error.code() == expected;
  }
}

int main() {
  std::promise<std::string> promise;
  std::future<std::string> future = promise.get_future();
  std::thread thread([&] { promise.set_value("delivered"); });
  assert(future.get() == "delivered");
  thread.join();
  assert(fails([&] { promise.set_value("again"); }, std::future_errc::promise_already_satisfied));
  assert(fails([&] { promise.get_future(); }, std::future_errc::future_already_retrieved));
  std::future<int> broken;
  {
    std::promise<int> short_lived;
    broken = short_lived.get_future();
  }
  assert(fails([&] { broken.get(); }, std::future_errc::broken_promise));
  return 0;
}
