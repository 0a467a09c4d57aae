// SPDX-License-Identifier: Apache-2.0
// Maximum and minimum over threads by compare-exchange loops, and by clang's builtin fetch_max and fetch_min.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=6
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

std::atomic<int> highest{-1}, lowest{1000};
int built_in_highest = -1, built_in_lowest = 1000;

void offer(int value) {
  int seen = highest.load(std::memory_order_relaxed);
  while (seen < value && !highest.compare_exchange_weak(seen, value)) {
  }
  seen = lowest.load(std::memory_order_relaxed);
  while (value < seen && !lowest.compare_exchange_weak(seen, value)) {
  }
  __atomic_fetch_max(&built_in_highest, value, __ATOMIC_RELAXED);
  __atomic_fetch_min(&built_in_lowest, value, __ATOMIC_RELAXED);
}

int main() {
  std::vector<std::thread> threads;
  for (int value : {5, 9, 2}) threads.emplace_back(offer, value);
  for (auto& thread : threads) thread.join();
  assert(highest == 9 && lowest == 2);
  assert(built_in_highest == 9 && built_in_lowest == 2);
  return 0;
}
