// SPDX-License-Identifier: Apache-2.0
#include "base/patience.h"

#include <algorithm>
#include <cmath>

#include "base/cpu_time.h"

namespace heddle::base {
namespace {

constexpr uint64_t kLooksForTheClock = 32;  // it takes the kernel to tell the time of a thread

double end_after(double seconds) { return std::isfinite(seconds) ? thread_cpu_seconds() + seconds : seconds; }

}  // namespace

Patience::Patience(double seconds, const std::atomic<bool>* stop, uint64_t looks)
    : stop_(stop), end_(end_after(seconds)), most_looks_(looks) {}

Patience::Patience(Patience& whole, double seconds) : whole_(&whole), end_(end_after(seconds)) {}

bool Patience::is_over_now() {
  if (whole_ && whole_->is_over()) return true;
  if (looks_ > most_looks_ || (stop_ && stop_->load(std::memory_order_relaxed))) return true;
  return std::isfinite(end_) && looks_ % kLooksForTheClock == 1 && thread_cpu_seconds() > end_;
}

double Patience::left() const {
  const double whole = whole_ ? whole_->left() : kForever;
  if (is_over_) return 0;
  return std::min(whole, std::isfinite(end_) ? end_ - thread_cpu_seconds() : end_);
}

}  // namespace heddle::base
