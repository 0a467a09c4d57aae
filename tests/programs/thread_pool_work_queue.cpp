// SPDX-License-Identifier: Apache-2.0
// A pool of two workers runs queued tasks, hands results back through futures, and shuts down cleanly.
// heddle: expect exit 0
// heddle: stdout 1 4 9 16 error 5
// heddle: schedules all
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int count) {
    for (int i = 0; i < count; i++) workers_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    for (auto& worker : workers_) worker.join();
  }
  std::future<int> submit(std::function<int()> function) {
    auto task = std::make_shared<std::packaged_task<int()>>(std::move(function));
    std::lock_guard<std::mutex> guard(mutex_);
    queue_.push_back([task] { (*task)(); });
    changed_.notify_one();
    return task->get_future();
  }

 private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
      if (queue_.empty()) return;
      auto task = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool closed_ = false;
  std::vector<std::thread> workers_;
};

int main() {
  Pool pool(2);
  std::vector<std::future<int>> results;
  for (int i = 1; i <= 4; i++) results.push_back(pool.submit([i] { return i * i; }));
  auto failing = pool.submit([]() -> int { throw 5; });
  for (auto& result : results) std::cout << result.get() << " ";
  try {
    failing.get();
  } catch (int n) {
    std::cout << "error " << n << std::endl;
  }
  return 0;
}
