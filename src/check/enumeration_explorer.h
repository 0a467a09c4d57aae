// SPDX-License-Identifier: Apache-2.0
//
// Plain enumeration of all interleavings, without any reduction: --reduce=none
// and --reduce=icb.
//
// Each execution says at which points something else could have happened. Each
// such thing, after what happened before it, is a prefix to run; the rest of the
// run follows the default strategy. So every interleaving is run exactly once:
// it has one first point where it leaves an execution that was run before it.
// Only what threads can notice of each other is interleaved: steps such as the
// start and the end of a thread are no points of choice.
//
// Iterative context bounding (003, section 5.5; Musuvathi and Qadeer) takes the
// same prefixes in the order of their preemptions: switches away from a thread
// that could have gone on. The default strategy adds none. A store that leaves
// its buffer is no switch.
#pragma once

#include <map>
#include <set>

#include "check/explorer.h"
#include "check/options.h"
#include "check/run_points.h"

namespace heddle::check {

class EnumerationExplorer : public Explorer {
 public:
  // `options` must outlive this.
  explicit EnumerationExplorer(const Options& options);

  std::optional<Job> next() override;
  void learn(ExecutionRef execution) override;
  gaps::Gaps gaps() const override { return gaps_; }

 private:
  void add(uint32_t preemptions, const std::vector<property::PlannedStep>& before, const Way& way);

  const schedule::MemoryModel memory_;
  const bool counts_preemptions_;
  const std::optional<uint32_t> bound_;
  std::map<uint32_t, std::vector<std::vector<property::PlannedStep>>>
      waiting_;                              // plans by preemptions, the last one first
  std::vector<property::PlannedStep> plan_;  // being run
  uint32_t preemptions_ = 0;                 // of it
  gaps::Gaps gaps_;
};

}  // namespace heddle::check
