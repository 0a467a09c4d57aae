// SPDX-License-Identifier: Apache-2.0
//
// Iterative context bounding with partial order reduction: --reduce=icb-dpor.
// For 0, 1, 2, ... preemptions: explore with that bound, until it cuts nothing
// off.
//
// Combining the two naively loses executions (003, section 5.5): the process
// that must be tried before the earlier step of a race may need a preemption
// there, which the bound forbids, although the same is reached without one from
// an earlier point. So it is also tried where the thread that runs at that step
// began to run (bounded partial order reduction; Coons, Musuvathi and McKinley,
// 2013). Every race counts, not only the nearest, and nothing sleeps: what a
// sleeping process stands for may lie beyond the bound.
#pragma once

#include <set>

#include "check/causal_stack.h"
#include "check/explorer.h"
#include "check/options.h"
#include "check/preemptions.h"
#include "check/run_points.h"

namespace heddle::check {

class IcbDporExplorer : public Explorer {
 public:
  // `options` must outlive this.
  explicit IcbDporExplorer(const Options& options)
      : options_(options), stack_(CausalStack::make(CausalStack::Races::kAll, options.memory)) {}

  std::optional<Job> next() override;
  void learn(ExecutionRef execution) override;
  gaps::Gaps gaps() const override { return gaps_; }

 private:
  struct Frame {
    RunPoint point;            // what was taken, and what could be
    std::set<Process> wanted;  // to be tried, or tried
    std::set<Process> tried;
    Preemptions preemptions;  // before the step
    uint32_t count = 0;       // of them
    bool is_preemption(Process process) const { return preemptions.is_preemption(point, process); }
  };

  bool advance(Frame& frame);
  std::vector<property::PlannedStep> plan() const;
  void want(size_t number, Process process);
  void turn_round(size_t earlier, Process process);

  const Options& options_;
  uint32_t bound_ = 0;
  bool bound_cuts_ = false;
  bool round_begun_ = false;
  std::vector<Frame> frames_;
  const std::unique_ptr<CausalStack> stack_;
  gaps::Gaps gaps_;
};

}  // namespace heddle::check
