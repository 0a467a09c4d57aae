// SPDX-License-Identifier: Apache-2.0
// Two threads wait for each other's future before they set their own.
// heddle: expect deadlock
// heddle: schedules all
#include <future>
#include <thread>

int main() {
  std::promise<int> first, second;
  std::future<int> from_first = first.get_future(), from_second = second.get_future();
  std::thread a([&] { first.set_value(from_second.get() + 1); });
  std::thread b([&] { second.set_value(from_first.get() + 1); });
  a.join();
  b.join();
  return 0;
}
