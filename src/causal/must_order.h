// SPDX-License-Identifier: Apache-2.0
//
// What comes before what in every order of an execution's operations: the order
// within each thread, creation before the child's start, a thread's end before
// it is joined. Kept as vector clocks. It is the order in which operations are
// issued; when a buffered store reaches memory is another matter, except that
// creating and joining wait for the buffer, so across threads the order holds
// for memory too.
#pragma once

#include <cstdint>
#include <vector>

#include "causal/execution.h"

namespace heddle::causal {

class MustOrder {
 public:
  explicit MustOrder(const Execution& execution);

  // Is `a` before `b` in every order? False for a == b.
  bool before(EventId a, EventId b) const { return !(a == b) && clock(b)[a.thread] > a.index; }

 private:
  const uint32_t* clock(EventId event) const { return &clocks_[(begins_[event.thread] + event.index) * threads_]; }

  size_t threads_;
  std::vector<size_t> begins_;  // by thread: the number of its first operation
  // By operation: for each thread, how many of its operations are before this one
  // or are this one.
  std::vector<uint32_t> clocks_;
};

}  // namespace heddle::causal
