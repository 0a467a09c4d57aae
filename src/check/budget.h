// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "base/stop.h"

namespace heddle::check {

// When to stop although there is more to do. Asked often and by all workers: that
// is one load; at the clock it looks only now and then.
class Budget {
 public:
  // `seconds` 0: no limit. `interrupted` may be empty; workers call it at the same time. `stop` may be null.
  Budget(double seconds, std::function<bool()> interrupted, base::Stop* stop = nullptr)
      : seconds_(seconds), interrupted_(std::move(interrupted)), link_(stop, spent_) {}

  bool is_spent() {
    static thread_local uint32_t asked = 0;
    if (spent_.load(std::memory_order_relaxed)) return true;
    if (++asked % 64 == 0 && (is_over() || (interrupted_ && interrupted_()))) spend();
    return spent_.load(std::memory_order_relaxed);
  }
  // From now on it is spent, whatever the clock says.
  void spend() { spent_.store(true, std::memory_order_relaxed); }
  // For whoever has to stop at once (execute::ExecutorOptions::interrupted).
  const std::atomic<bool>& spent() const { return spent_; }

  bool is_over() const { return seconds_ > 0 && elapsed() > seconds_; }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  const double seconds_;
  const std::function<bool()> interrupted_;
  std::atomic<bool> spent_ = false;
  const base::Stop::Link link_;
};

}  // namespace heddle::check
