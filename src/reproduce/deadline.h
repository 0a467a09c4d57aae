// SPDX-License-Identifier: Apache-2.0
//
// When to stop: a time, or because somebody asks for it. A thread of its own looks, so that
// long steps (a run of the program, a walk) need only look at a flag.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace heddle::reproduce {

class Deadline {
 public:
  // `interrupted` may be null.
  Deadline(double seconds, const std::atomic<bool>* interrupted);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  // True from then on; for whoever has to stop at once (execute::ExecutorOptions::interrupted).
  const std::atomic<bool>& reached() const { return reached_; }

 private:
  std::atomic<bool> reached_ = false;
  bool ends_ = false;
  std::mutex mutex_;
  std::condition_variable end_;
  std::thread watcher_;
};

}  // namespace heddle::reproduce
