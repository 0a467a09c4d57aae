// SPDX-License-Identifier: Apache-2.0
//
// Bugs that are looked for in a trace as a whole, in every order in which reads
// keep their values: deadlocks (every thread has ended or is blocked) and uses of
// memory that another thread has freed by then. Each order is checked on the
// trace (witness.h) before anybody hears of it.
//
// Limits: a trace of more events than options.window and kMostEvents is not looked
// at. A thread must have been seen doing what it is to be blocked at.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "predict/options.h"
#include "predict/report.h"
#include "solve/order_problem.h"
#include "trace/trace.h"

namespace heddle::predict {

inline constexpr uint64_t kMostEvents = 20'000;

struct PredictedBug {
  enum class Kind { kDeadlock, kUseAfterFree } kind = Kind::kDeadlock;
  struct Where {
    causal::EventId event;
    uint32_t site = 0;
  };
  std::vector<Where> places;
  Order order;
};

// `take` gets each bug, whatever else is at the same places.
void find_in_whole_trace(const trace::Trace& trace, const Options& options, solve::OrderSolver& solver,
                         const std::function<void(const PredictedBug&)>& take, std::set<property::Reason>& reasons);

}  // namespace heddle::predict
