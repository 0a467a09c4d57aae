// SPDX-License-Identifier: Apache-2.0
// Spin loops with a pause instruction, a yield, a short sleep, and a condition over two variables all get through.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>
#include <vector>

std::atomic<int> left{0}, right{0}, arrived{0};

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back([] {
    while (left + right != 3) __builtin_ia32_pause();
    arrived++;
  });
  threads.emplace_back([] {
    while (left == 0 || right == 0) std::this_thread::yield();
    arrived++;
  });
  threads.emplace_back([] {
    while (right.load() != 2) std::this_thread::sleep_for(std::chrono::microseconds(50));
    arrived++;
  });
  threads.emplace_back([] {
    left = 1;
    right = 2;
  });
  for (auto& thread : threads) thread.join();
  assert(arrived == 3);
  return 0;
}
