// SPDX-License-Identifier: Apache-2.0
//
// Threads of which none ends the process by an exception: join() throws the first
// one again in the thread that waits.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace heddle::base {

class ThreadGroup {
 public:
  ThreadGroup() = default;
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;
  ~ThreadGroup() { wait(); }

  void start(std::function<void()> work) {
    threads_.emplace_back([this, work = std::move(work)] { run(work); });
  }
  // In the calling thread, as if it were one of them.
  void run(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard<std::mutex> guard(lock_);
      if (!thrown_) thrown_ = std::current_exception();
    }
  }
  void join() {
    wait();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  void wait() {
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  std::vector<std::thread> threads_;
  std::mutex lock_;
  std::exception_ptr thrown_;
};

}  // namespace heddle::base
