// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

namespace heddle::check {

// When to stop although there is more to do. Asked often, so it looks at the
// clock only now and then.
class Budget {
 public:
  // `seconds` 0: no limit. `interrupted` may be empty.
  Budget(double seconds, std::function<bool()> interrupted) : seconds_(seconds), interrupted_(std::move(interrupted)) {}

  bool is_spent() {
    if (!spent_ && ++asked_ % 64 == 0) spent_ = is_over() || (interrupted_ && interrupted_());
    return spent_;
  }
  bool is_over() const { return seconds_ > 0 && elapsed() > seconds_; }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  const double seconds_;
  const std::function<bool()> interrupted_;
  uint64_t asked_ = 0;
  bool spent_ = false;
};

}  // namespace heddle::check
