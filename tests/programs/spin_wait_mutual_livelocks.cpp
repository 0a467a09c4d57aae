// SPDX-License-Identifier: Apache-2.0
// Each of two threads sets its own flag only after it has seen the other's.
// heddle: expect livelock
// heddle: schedules all
#include <atomic>
#include <thread>

std::atomic<bool> first_ready{false}, second_ready{false};

int main() {
  std::thread first([] {
    while (!second_ready.load(std::memory_order_acquire)) std::this_thread::yield();
    first_ready.store(true, std::memory_order_release);
  });
  std::thread second([] {
    while (!first_ready.load(std::memory_order_acquire)) std::this_thread::yield();
    second_ready.store(true, std::memory_order_release);
  });
  first.join();
  second.join();
  return 0;
}
