// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for each other in a circle, in another order of a trace's
// events (property/lock_cycles.h): each order is checked on the trace (witness.h).
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "causal/needs.h"
#include "gaps/gap.h"
#include "predict/options.h"
#include "predict/whole_trace.h"
#include "predict/witness.h"
#include "property/deadlocks.h"

namespace heddle::predict {

class Window;

class LockCycleSearch {
 public:
  // All must outlive this.
  LockCycleSearch(const property::AskSolver& ask, const TakeBug& take, Witness& witness, gaps::Gaps& gaps)
      : ask_(ask), take_(take), witness_(witness), gaps_(gaps) {}

  // These threads at these sites are known to block each other: circles among them are nothing new.
  void know(const std::vector<property::BlockedThread>& blocked);
  // The trace as a whole or, if given, a window of it.
  void find(const causal::Dependences& dependences, const Window* window = nullptr);

 private:
  bool is_new(const std::vector<property::BlockedThread>& blocked) const;

  const property::AskSolver& ask_;
  const TakeBug& take_;
  Witness& witness_;
  gaps::Gaps& gaps_;
  std::vector<std::set<uint32_t>> known_;  // sites
  std::set<std::set<uint32_t>> circles_;   // that were taken
};

// In each window of a trace that is too long to be looked at as a whole.
void find_cycles_in_windows(const trace::Trace& trace, const Options& options, const property::AskSolver& ask,
                            const TakeBug& take, gaps::Gaps& gaps);

}  // namespace heddle::predict
