// SPDX-License-Identifier: Apache-2.0
// A pool of two workers runs queued tasks, hands results back through futures, and shuts down cleanly.
// heddle: expect exit 0
// heddle: stdout 1 4 9 16 error 5
// heddle: schedules all
#include <condition_variable>
#include <deque>
#include <future>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

struct Pool {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::packaged_task<int()>> queue;
  bool closed = false;
  std::vector<std::jthread> workers;

  explicit Pool(int count) {
    for (int i = 0; i < count; i++) workers.emplace_back([this] { run(); });
  }
  ~Pool() {
    std::lock_guard<std::mutex> guard(mutex);
    closed = true;
    changed.notify_all();
  }
  std::future<int> submit(std::packaged_task<int()> task) {
    std::lock_guard<std::mutex> guard(mutex);
    queue.push_back(std::move(task));
    changed.notify_one();
    return queue.back().get_future();
  }
  void run() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return closed || !queue.empty(); });
      if (queue.empty()) return;
      auto task = std::move(queue.front());
      queue.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }
};

int main() {
  Pool pool(2);
  std::vector<std::future<int>> results;
  for (int i = 1; i <= 4; i++) results.push_back(pool.submit(std::packaged_task<int()>([i] { return i * i; })));
  auto failing = pool.submit(std::packaged_task<int()>([]() -> int { throw 5; }));
  for (auto& result : results) std::cout << result.get() << " ";
  try {
    failing.get();
  } catch (int n) {
    std::cout << "error " << n << std::endl;
  }
  return 0;
}
