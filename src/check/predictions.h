// SPDX-License-Identifier: Apache-2.0
//
// What the operations of an execution could come to in another order, as
// findings: deadlocks, uses after free and, on request, data races. Each has a
// schedule that leads to it; whether it does is for the session to confirm.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "causal/execution.h"
#include "check/latest_dependences.h"
#include "check/options.h"
#include "check/query_solver.h"
#include "check/report.h"
#include "execute/executor.h"
#include "property/deadlocks.h"
#include "property/races.h"

namespace heddle::check {

// By site: a number for each line of the source. Sites that are not known are alike.
std::vector<uint32_t> number_lines(const execute::Subject& subject);

class Predictions {
 public:
  // The references must outlive this.
  Predictions(const execute::Subject& subject, const Options& options, const causal::ThreadTable& threads,
              QuerySolver& solver);

  struct Predicted {
    std::vector<Finding> findings;
    gaps::Gaps gaps;  // what could not be answered
  };
  // Deadlocks and uses after free; depends on nothing that was asked before.
  // `is_known` says which findings need not be looked for again.
  Predicted predict(const ExecutionRef& execution, LatestDependences& dependences,
                    const std::function<bool(const Finding&)>& is_known) const;

  // Data races; those that were found before are not found again. `take` gets each
  // and returns false when no more are wanted.
  void predict_races(const ExecutionRef& execution, const std::function<bool(Finding)>& take);
  // A race that the execution shows, found elsewhere. Nothing: the execution did not get that far.
  std::optional<Finding> finding_of(const causal::Execution& execution, const property::Race& shown) const;
  bool found_all_races() const { return races_.is_complete(); }
  void save_races(base::ByteWriter& out) const { races_.save(out); }
  void restore_races(base::ByteReader& in) { races_.restore(in); }

 private:
  using IsKnown = std::function<bool(const Finding&)>;
  void predict_deadlocks(const causal::Dependences& dependences, const IsKnown& is_known, Predicted& predicted) const;
  void predict_uses(const causal::Dependences& dependences, const IsKnown& is_known, Predicted& predicted) const;
  Finding deadlock(const std::vector<property::BlockedThread>& blocked) const;
  Finding use_after_free(const HeddleRecord& use) const;
  Finding race(const causal::Execution& execution, const property::Race& race) const;
  Place place_of(causal::ThreadId thread, uint32_t site) const;

  const execute::Subject& subject_;
  const Options& options_;
  const causal::ThreadTable& threads_;
  const property::AskSolver ask_;
  property::RaceFinder races_;
};

}  // namespace heddle::check
