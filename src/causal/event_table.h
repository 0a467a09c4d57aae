// SPDX-License-Identifier: Apache-2.0
//
// A value for each operation of an execution, in one piece of memory.
#pragma once

#include <cstdint>
#include <vector>

#include "causal/execution.h"

namespace heddle::causal {

template <typename T>
class EventTable {
 public:
  // `beyond`: values of each thread for places after its last operation.
  explicit EventTable(const Execution& execution, const T& value = {}, uint32_t beyond = 0) {
    begins_.reserve(execution.threads.size());
    size_t size = 0;
    for (ThreadId t = 0; t < execution.threads.size(); ++t) {
      begins_.push_back(size);
      size += execution.length(t) + beyond;
    }
    values_.assign(size, value);
  }

  T& operator[](EventId event) { return values_[begins_[event.thread] + event.index]; }
  const T& operator[](EventId event) const { return values_[begins_[event.thread] + event.index]; }

 private:
  std::vector<size_t> begins_;  // by thread
  std::vector<T> values_;
};

}  // namespace heddle::causal
