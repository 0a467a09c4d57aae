// SPDX-License-Identifier: Apache-2.0
//
// Store buffering with std::thread: its constructor leaves stores to its own local
// variables in the buffer, which are dropped when these end their lives.
//
// heddle-check: sc=holds tso=violated pso=violated finding=assertion classes=3/4/4
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;

int main() {
  int a = -1, b = -1;
  std::thread first([&] {
    x.store(1, std::memory_order_relaxed);
    a = y.load(std::memory_order_relaxed);
  });
  std::thread second([&] {
    y.store(1, std::memory_order_relaxed);
    b = x.load(std::memory_order_relaxed);
  });
  first.join();
  second.join();
  assert(a || b);
}
