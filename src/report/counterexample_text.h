// SPDX-License-Identifier: Apache-2.0
//
// A run for people to read: one column per thread, one step a line, with the
// source beside it. What does not help to understand is left out, and said so:
// what happens before the first thread is created, steps on memory of one thread
// only, the middle of long stretches of one thread.
#pragma once

#include <memory>
#include <string>

#include "report/columns.h"
#include "trace/trace.h"

namespace heddle::report {

// The trace must be controlled.
std::string counterexample_text(const trace::Trace& trace, const ColumnOptions& options);

// The same lines one by one, with nothing left out, for a run that is going on:
// `trace` is an earlier run of the same schedule.
class StepByStep {
 public:
  StepByStep(const trace::Trace& trace, const ColumnOptions& options);
  ~StepByStep();

  std::string head() const;
  // The lines of this event; empty for events that are no step.
  std::string lines(size_t event) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::report
