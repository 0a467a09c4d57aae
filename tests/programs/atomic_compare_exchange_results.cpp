// SPDX-License-Identifier: Apache-2.0
// A failed compare_exchange_strong leaves the target and reports what it saw; weak may fail only in a loop.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cas >=4
#include <atomic>
#include <cassert>

int main() {
  std::atomic<long> cell{10};
  long expected = 11;
  assert(!cell.compare_exchange_strong(expected, 20));
  assert(expected == 10 && cell == 10);
  assert(cell.compare_exchange_strong(expected, 20, std::memory_order_acq_rel, std::memory_order_relaxed));
  assert(expected == 10 && cell == 20);
  expected = 20;
  while (!cell.compare_exchange_weak(expected, 30, std::memory_order_release, std::memory_order_relaxed)) {
    assert(expected == 20);
  }
  assert(cell == 30);
  expected = 0;
  assert(!cell.compare_exchange_weak(expected, 1, std::memory_order_acquire));
  assert(expected == 30);
  return 0;
}
