// SPDX-License-Identifier: Apache-2.0
//
// Two producers, and main as the consumer: what comes out went in. With
// -DHANDOVER=std::memory_order_relaxed the queue has the bug that the page beside
// is about.
#include <cassert>
#include <thread>

#include "queue.hpp"

#ifndef HANDOVER
#define HANDOVER std::memory_order_release
#endif

int main() {
  static Queue<2, HANDOVER> queue;
  std::thread one([] { queue.push(1); });
  std::thread two([] { queue.push(2); });
  if (const auto value = queue.pop()) assert(*value == 1 || *value == 2);
  one.join();
  two.join();
  return 0;
}
