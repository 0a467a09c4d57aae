// SPDX-License-Identifier: Apache-2.0
//
// Bugs that are looked for in a trace as a whole, in every order in which reads
// keep their values: deadlocks (every thread has ended or is blocked, or some wait
// for each other in a circle) and uses of memory that another thread has freed by
// then. Each order is checked on the trace (witness.h) before anybody hears of it.
//
// Limits: in a trace of more events than options.window and kMostEvents only circles
// are looked for, within windows. A thread must have been seen doing what it is to be
// blocked at.
#pragma once

#include <functional>
#include <vector>

#include "gaps/gap.h"
#include "predict/options.h"
#include "predict/report.h"
#include "solve/order_problem.h"
#include "trace/trace.h"

namespace heddle::predict {

inline constexpr uint64_t kMostEvents = 100'000;

struct PredictedBug {
  enum class Kind { kDeadlock, kLockCycle, kUseAfterFree } kind = Kind::kDeadlock;
  struct Where {
    causal::EventId event;
    uint32_t site = 0;
  };
  std::vector<Where> places;
  Order order;
};

// Says whether the bug stands.
using TakeBug = std::function<bool(const PredictedBug&)>;

// `take` gets each bug, whatever else is at the same places.
void find_in_whole_trace(const trace::Trace& trace, const Options& options, solve::OrderSolver& solver,
                         const TakeBug& take, gaps::Gaps& gaps);

}  // namespace heddle::predict
