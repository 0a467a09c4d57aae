// SPDX-License-Identifier: Apache-2.0
//
// What the operations of an execution could come to in another order, as
// findings: deadlocks, uses after free and, on request, data races. Each has a
// schedule that leads to it; whether it does is for the session to confirm.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "causal/execution.h"
#include "check/options.h"
#include "check/query_solver.h"
#include "check/report.h"
#include "execute/executor.h"
#include "property/deadlocks.h"
#include "property/races.h"

namespace heddle::check {

class Predictions {
 public:
  // The references must outlive this.
  Predictions(const execute::Subject& subject, const Options& options, const causal::ThreadTable& threads,
              QuerySolver& solver);

  // `is_known` says which findings need not be looked for again. `take` gets
  // each prediction and returns false when no more are wanted.
  using IsKnown = std::function<bool(const Finding&)>;
  using Take = std::function<bool(Finding)>;
  void predict(const causal::Execution& execution, const IsKnown& is_known, const Take& take);

  // What could not be answered so far; empty: everything was.
  const std::set<Reason>& gaps() const { return gaps_; }

 private:
  bool predict_deadlocks(const causal::Dependences& dependences, const IsKnown& is_known, const Take& take);
  bool predict_uses(const causal::Dependences& dependences, const IsKnown& is_known, const Take& take);
  void predict_races(const causal::Dependences& dependences, const Take& take);
  Finding deadlock(const std::vector<property::BlockedThread>& blocked) const;
  Finding use_after_free(const HeddleRecord& use) const;
  Finding race(const causal::Execution& execution, const property::Race& race) const;
  Place place_of(causal::ThreadId thread, uint32_t site) const;

  const execute::Subject& subject_;
  const Options& options_;
  const causal::ThreadTable& threads_;
  const property::AskSolver ask_;
  property::RaceFinder races_;
  std::set<Reason> gaps_;
};

}  // namespace heddle::check
