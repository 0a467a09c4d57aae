// SPDX-License-Identifier: Apache-2.0
//
// Counting preemptions along an execution: a thread takes a step although the
// one that took the last step could have gone on, and did not ask others to go
// first.
#pragma once

#include <optional>

#include "causal/execution.h"
#include "check/run_points.h"

namespace heddle::check {

class Preemptions {
 public:
  // Would it be one, at this point, if `process` took the step?
  bool is_preemption(const RunPoint& point, Process process) const {
    if (process.is_flush() || !current_ || current_->thread == process.thread) return false;
    for (const Possible& possible : point.possible)
      if (possible.process == *current_) return !possible.waits_in_loop && !yielded_;
    return false;
  }

  // Did the process take the last step that was no flush?
  bool is_running(Process process) const { return current_ == process; }

  // The point's process takes its step.
  void pass(const RunPoint& point, const causal::Execution& execution) {
    if (point.process.is_flush()) return;
    current_ = point.process;
    const uint8_t kind = execution.operation(execution.order[point.at].event).kind;
    yielded_ = kind == HEDDLE_YIELD || kind == HEDDLE_SLEEP;
  }

 private:
  std::optional<Process> current_;
  bool yielded_ = false;
};

}  // namespace heddle::check
