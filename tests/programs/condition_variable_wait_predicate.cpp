// SPDX-License-Identifier: Apache-2.0
// std::condition_variable with a predicate: the waiter gets every item, in order, and then the end mark.
// heddle: expect exit 0
// heddle: stdout 1 2 3
// heddle: schedules all
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <queue>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  std::queue<int> items;
  bool closed = false;
  std::thread consumer([&] {
    std::unique_lock<std::mutex> lock(mutex);
    for (bool first = true;; first = false) {
      changed.wait(lock, [&] { return closed || !items.empty(); });
      if (items.empty()) break;
      std::cout << (first ? "" : " ") << items.front();
      items.pop();
    }
    std::cout << "\n";
  });
  for (int i = 1; i <= 3; i++) {
    std::lock_guard<std::mutex> guard(mutex);
    items.push(i);
    changed.notify_one();
  }
  {
    std::lock_guard<std::mutex> guard(mutex);
    closed = true;
  }
  changed.notify_all();
  consumer.join();
  return 0;
}
