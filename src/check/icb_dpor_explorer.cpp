// SPDX-License-Identifier: Apache-2.0
#include "check/icb_dpor_explorer.h"

#include <algorithm>

#include "check/choice_values.h"

namespace heddle::check {

using property::PlannedStep;

std::optional<Job> IcbDporExplorer::next() {
  for (;;) {
    if (!round_begun_) {
      round_begun_ = true;
      bound_cuts_ = false;
      return Job{.lists_options = true, .runs_all_orders = true};
    }
    while (!frames_.empty()) {
      stack_->cut(frames_.size() - 1);
      if (advance(frames_.back())) return Job{.plan = plan(), .lists_options = true, .runs_all_orders = true};
      frames_.pop_back();
    }
    if (!bound_cuts_) return std::nullopt;
    if (options_.context_bound && bound_ >= *options_.context_bound) {
      gaps_.raise(HEDDLE_GAP_CONTEXT_BOUND, std::to_string(bound_));
      return std::nullopt;
    }
    ++bound_;
    round_begun_ = false;
  }
}

// Another way of the process taken, or another process; false: nothing is left.
bool IcbDporExplorer::advance(Frame& frame) {
  RunPoint& point = frame.point;
  if (!point.other_ways.empty()) {
    point.way = std::move(point.other_ways.back());
    point.other_ways.pop_back();
    return true;
  }
  frame.tried.insert(point.process);
  for (const Possible& possible : point.possible) {
    if (!frame.wanted.count(possible.process) || frame.tried.count(possible.process)) continue;
    if (frame.count + frame.is_preemption(possible.process) > bound_) {
      bound_cuts_ = true;
      continue;
    }
    point.process = possible.process;
    point.way = {possible.step};
    return true;
  }
  return false;
}

std::vector<PlannedStep> IcbDporExplorer::plan() const {
  std::vector<PlannedStep> plan;
  for (const Frame& frame : frames_) plan.insert(plan.end(), frame.point.way.begin(), frame.point.way.end());
  return plan;
}

void IcbDporExplorer::learn(ExecutionRef execution) {
  std::vector<RunPoint> points = points_of(*execution, plan());
  if (execution->ending.outcome == HEDDLE_OUTCOME_DIVERGED || points.size() < frames_.size()) {
    gaps_.raise(HEDDLE_GAP_NONDETERMINISTIC, "the program did not do the same again under the same schedule");
    if (stack_->size() < frames_.size()) frames_.pop_back();
    return;
  }
  const Footprints footprints(*execution, options_.memory, options_.reuses_addresses);
  for (size_t number = stack_->size(); number < points.size(); ++number) {
    RunPoint& point = points[number];
    const Footprint footprint = footprints.of(point);
    if (point.leaves_out_values) gaps_.raise(HEDDLE_GAP_CHOICE_VALUES, std::to_string(kMostChoiceValues));
    if (number < frames_.size()) {  // taken as planned
      RunPoint& known = frames_[number].point;
      point.possible = known.possible;
      point.other_ways.insert(point.other_ways.end(), known.other_ways.begin(), known.other_ways.end());
      known = point;
    } else {
      Frame frame;
      if (number) {
        const Frame& before = frames_.back();
        frame.preemptions = before.preemptions;
        frame.count = before.count + before.is_preemption(before.point.process);
        frame.preemptions.pass(points[number - 1], *execution);
      }
      frame.point = point;
      frame.wanted.insert(point.process);
      frames_.push_back(std::move(frame));
    }
    stack_->push(point, footprint);
    const std::vector<size_t> races = stack_->races();
    for (const size_t earlier : races) turn_round(earlier, footprint.process);
  }
  for (const causal::Waiting& waiting : execution->waiting) {
    const Footprint footprint = footprints.of(waiting);
    for (const size_t earlier : stack_->races_of(footprint)) turn_round(earlier, footprint.process);
  }
}

// Tries the process at this frame, or, where it is not possible, all that are.
void IcbDporExplorer::want(size_t number, Process process) {
  Frame& frame = frames_[number];
  const bool is_possible = frame.point.allows(process);
  for (const Possible& possible : frame.point.possible) {
    if (is_possible && possible.process != process) continue;
    if (possible.waits_in_loop && !frame.wanted.count(possible.process)) {
      gaps_.raise(HEDDLE_GAP_LOOP_ROUNDS);
    } else {
      frame.wanted.insert(possible.process);
    }
  }
}

void IcbDporExplorer::turn_round(size_t earlier, Process process) {
  want(earlier, process);
  // Where the thread that runs there began to run; stores leave their buffers meanwhile.
  size_t begin = earlier;
  std::optional<Process> running;
  for (size_t number = earlier + 1; number--;) {
    const Process taken = frames_[number].point.process;
    if (taken.is_flush()) continue;
    if (!running) running = taken;
    if (taken != *running) break;
    begin = number;
  }
  if (begin != earlier) want(begin, process);
}

}  // namespace heddle::check
