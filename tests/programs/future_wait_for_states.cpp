// SPDX-License-Identifier: Apache-2.0
// wait_for on a future: timeout before the value is set, ready afterwards.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::promise<int> go, answer;
  std::future<int> start = go.get_future(), result = answer.get_future();
  std::thread thread([&] { answer.set_value(start.get() + 1); });
  assert(result.wait_for(0ms) == std::future_status::timeout);
  assert(result.wait_for(2ms) == std::future_status::timeout);
  assert(result.wait_until(std::chrono::system_clock::now() + 1ms) == std::future_status::timeout);
  go.set_value(41);
  thread.join();
  assert(result.wait_for(0ms) == std::future_status::ready);
  assert(result.get() == 42);
  return 0;
}
