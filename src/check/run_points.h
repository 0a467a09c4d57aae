// SPDX-License-Identifier: Apache-2.0
//
// An execution as a sequence of points at which something was chosen: the form
// in which explorations that enumerate schedules (none, icb, dpor) see it.
//
// At a point one process takes one step. A process is a thread, or a store in a
// store buffer, whose only step is to reach memory. What a step entails without
// a choice (writes of library code, a failing assertion) belongs to its point.
#pragma once

#include <vector>

#include "causal/execution.h"
#include "property/plan.h"

namespace heddle::check {

struct Process {
  static constexpr uint32_t kThread = ~0u;
  causal::ThreadId thread = 0;
  uint32_t store = kThread;  // index of the store in its thread
  bool is_flush() const { return store != kThread; }
  auto operator<=>(const Process&) const = default;
};

struct Possible {
  Process process;
  property::PlannedStep step;
  bool waits_in_loop = false;
};

// Steps that one process takes at one point: an operation, and whom it wakes.
using Way = std::vector<property::PlannedStep>;

struct RunPoint {
  size_t at = 0, end = 0;  // what happened: places [at, end) in Execution::order
  Process process;
  Way way;
  // What could have happened instead, this included; where that was not listed,
  // only this.
  std::vector<Possible> possible;
  std::vector<Way> other_ways;     // of the same process: other values, other threads woken
  bool leaves_out_values = false;  // there are too many other ways
  bool allows(Process wanted) const;
};

// `plan`: what the execution followed first. Only the last step of it may have
// left its way open (a choice without a value); what it turned out to be, and
// the other ways, are then those of the execution.
std::vector<RunPoint> points_of(const causal::Execution& execution, const std::vector<property::PlannedStep>& plan);

// How many points a plan prescribes.
size_t points_in(const std::vector<property::PlannedStep>& plan);

}  // namespace heddle::check
