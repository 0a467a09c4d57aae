// SPDX-License-Identifier: Apache-2.0
//
// The wish that an analysis ends early, as all of its threads see it: the time is
// up, too much memory is used, the user interrupts. The first reason counts.
//
// Long-running work polls is_requested(), which costs one load. Flags that
// others wait for (execute::ExecutorOptions::interrupted) can be linked.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace heddle::base {

class Stop {
 public:
  enum class Why : uint8_t { kNone, kTime, kMemory, kInterrupted };

  bool is_requested() const { return flag_.load(std::memory_order_relaxed); }
  Why why() const { return why_.load(std::memory_order_acquire); }
  const std::atomic<bool>& flag() const { return flag_; }

  void request(Why why) {
    Why none = Why::kNone;
    why_.compare_exchange_strong(none, why);
    flag_.store(true);
    const std::lock_guard<std::mutex> guard(lock_);
    for (std::atomic<bool>* linked : linked_) linked->store(true);
  }

  // As long as the link lives, the flag is raised with this wish.
  class Link {
   public:
    Link(Stop* stop, std::atomic<bool>& flag) : stop_(stop), flag_(flag) {
      if (!stop_) return;
      const std::lock_guard<std::mutex> guard(stop_->lock_);
      stop_->linked_.push_back(&flag_);
      if (stop_->is_requested()) flag_.store(true);
    }
    ~Link() {
      if (!stop_) return;
      const std::lock_guard<std::mutex> guard(stop_->lock_);
      std::erase(stop_->linked_, &flag_);
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

   private:
    Stop* const stop_;  // may be null
    std::atomic<bool>& flag_;
  };

 private:
  std::atomic<bool> flag_ = false;
  std::atomic<Why> why_ = Why::kNone;
  std::mutex lock_;  // of what follows
  std::vector<std::atomic<bool>*> linked_;
};

}  // namespace heddle::base
