// SPDX-License-Identifier: Apache-2.0
#include "reproduce/deadline.h"

#include <algorithm>
#include <chrono>

namespace heddle::reproduce {

Deadline::Deadline(double seconds, const std::atomic<bool>* interrupted)
    : watcher_([this, seconds, interrupted] {
        using Clock = std::chrono::steady_clock;
        constexpr double kMostSeconds = 1e8;
        const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double>(std::min(seconds, kMostSeconds)));
        std::unique_lock lock(mutex_);
        while (!ends_) {
          if (Clock::now() >= end || (interrupted && interrupted->load())) {
            reached_ = true;
            return;
          }
          end_.wait_until(lock, std::min(end, Clock::now() + std::chrono::milliseconds(50)));
        }
      }) {}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  end_.notify_all();
  watcher_.join();
}

}  // namespace heddle::reproduce
