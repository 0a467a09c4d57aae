// SPDX-License-Identifier: Apache-2.0
//
// Dynamic partial order reduction (Flanagan and Godefroid, 2005) with sleep
// sets: --reduce=dpor. Executions that differ only in the order of independent
// steps are run once.
//
// Depth-first over points. Each execution's races (causal_stack.h) say at which
// earlier points another process must be tried first. Of the processes that
// could begin the turned-round part, one suffices (source sets; Abdulla et al.,
// 2014). A process that was tried at a point sleeps in what is explored after
// it there, until a step that depends on its own wakes it: what begins with it
// was seen. The runtime is asked to put off what sleeps; where it could not,
// the execution is cut at that point, and another process is tried there.
//
// A step may have several ways (values of a choice, threads woken): all are
// explored before its process counts as tried. Stores in buffers are processes
// of their own.
#pragma once

#include <map>
#include <set>

#include "check/causal_stack.h"
#include "check/explorer.h"
#include "check/options.h"
#include "check/run_points.h"

namespace heddle::check {

class DporExplorer : public Explorer {
 public:
  // `options` must outlive this.
  explicit DporExplorer(const Options& options)
      : options_(options), stack_(CausalStack::make(CausalStack::Races::kNearest, options.memory)) {}

  std::optional<Job> next() override;
  void learn(ExecutionRef execution) override;
  gaps::Gaps gaps() const override { return gaps_; }

 private:
  struct Tried {
    Footprint footprint;
    property::PlannedStep step;
  };
  struct Frame {
    std::vector<Possible> possible;
    std::map<Process, std::optional<Footprint>> wanted;  // to be tried, or tried; what it will touch, if known
    std::vector<Tried> tried, asleep;
    std::optional<Process> taken;
    Way way;                      // of the taken one
    std::vector<Way> other_ways;  // still to be tried
    const Possible* find(Process process) const;
    bool is_settled(Process process) const;  // tried or asleep
  };

  bool advance(Frame& frame);
  Job job() const;
  void take_over(size_t number, RunPoint& point, const Footprint& footprint);
  bool begin_frame(const RunPoint& point);
  void turn_round(size_t earlier, size_t later, const Footprint& footprint);

  const Options& options_;
  bool started_ = false;
  std::vector<Frame> frames_;
  const std::unique_ptr<CausalStack> stack_;  // of the steps taken at the frames
  gaps::Gaps gaps_;
};

}  // namespace heddle::check
