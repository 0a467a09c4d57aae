// SPDX-License-Identifier: Apache-2.0
// this_thread::sleep_for and sleep_until move steady_clock and system_clock on by at least the time asked for.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains sleep
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

int main() {
  auto steady = std::chrono::steady_clock::now();
  auto wall = std::chrono::system_clock::now();
  std::thread other([=] {
    std::this_thread::sleep_until(steady + 3ms);
    assert(std::chrono::steady_clock::now() >= steady + 3ms);
  });
  std::this_thread::sleep_for(2ms);
  assert(std::chrono::steady_clock::now() - steady >= 2ms);
  assert(std::chrono::system_clock::now() - wall >= 1ms);
  other.join();
  return 0;
}
