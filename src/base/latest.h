// SPDX-License-Identifier: Apache-2.0
//
// The newest state of something that one thread works on and another may have to
// answer for (watchdog.h).
#pragma once

#include <mutex>
#include <utility>

namespace heddle::base {

template <typename Value>
class Latest {
 public:
  void publish(Value value) {
    const std::lock_guard<std::mutex> guard(lock_);
    value_ = std::move(value);
  }
  Value get() const {
    const std::lock_guard<std::mutex> guard(lock_);
    return value_;
  }

 private:
  mutable std::mutex lock_;
  Value value_;
};

}  // namespace heddle::base
