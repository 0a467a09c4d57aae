// SPDX-License-Identifier: Apache-2.0
#include "check/dpor_explorer.h"

#include <algorithm>

#include "check/choice_values.h"

namespace heddle::check {

using property::PlannedStep;
using schedule::StepKind;

const Possible* DporExplorer::Frame::find(Process process) const {
  for (const Possible& one : possible)
    if (one.process == process) return &one;
  return nullptr;
}

bool DporExplorer::Frame::is_settled(Process process) const {
  const auto is_it = [&](const Tried& one) { return one.footprint.process == process; };
  return std::any_of(tried.begin(), tried.end(), is_it) || std::any_of(asleep.begin(), asleep.end(), is_it);
}

std::optional<Job> DporExplorer::next() {
  if (!started_) {
    started_ = true;
    return Job{.lists_options = true, .runs_all_orders = true};
  }
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    const size_t number = frames_.size() - 1;
    if (frame.taken && frame.other_ways.empty()) {
      frame.tried.push_back({stack_->footprint(number), frame.way.front()});
      frame.taken.reset();
    }
    stack_->cut(number);
    if (advance(frame)) return job();
    frames_.pop_back();
  }
  return std::nullopt;
}

// Another way of the taken process, or another process; false: nothing is left.
bool DporExplorer::advance(Frame& frame) {
  if (!frame.other_ways.empty()) {
    frame.way = std::move(frame.other_ways.back());
    frame.other_ways.pop_back();
    return true;
  }
  for (const auto& [process, footprint] : frame.wanted) {
    if (frame.is_settled(process)) continue;
    frame.taken = process;
    frame.way = {frame.find(process)->step};
    return true;
  }
  return false;
}

Job DporExplorer::job() const {
  Job job;
  job.lists_options = job.runs_all_orders = true;
  for (const Frame& frame : frames_) job.plan.insert(job.plan.end(), frame.way.begin(), frame.way.end());
  const Frame& last = frames_.back();
  const auto wanted = last.wanted.find(*last.taken);
  if (wanted == last.wanted.end() || !wanted->second) return job;
  for (const auto* sleepers : {&last.asleep, &last.tried}) {
    for (const Tried& sleeper : *sleepers) {
      if (are_dependent(sleeper.footprint, *wanted->second)) continue;
      const bool is_flush = sleeper.footprint.process.is_flush();
      job.avoided.push_back({is_flush ? StepKind::kFlush : StepKind::kOp, sleeper.step.event, 0, 0});
    }
  }
  return job;
}

void DporExplorer::learn(ExecutionRef execution) {
  std::vector<PlannedStep> plan;
  for (const Frame& frame : frames_) plan.insert(plan.end(), frame.way.begin(), frame.way.end());
  std::vector<RunPoint> points = points_of(*execution, plan);
  if (execution->ending.outcome == HEDDLE_OUTCOME_DIVERGED || points.size() < frames_.size()) {
    gaps_.raise(HEDDLE_GAP_NONDETERMINISTIC, "the program did not do the same again under the same schedule");
    if (stack_->size() < frames_.size()) frames_.pop_back();
    return;
  }
  const Footprints footprints(*execution, options_.memory, options_.reuses_addresses);
  for (size_t number = stack_->size(); number < points.size(); ++number) {
    if (number == frames_.size() && !begin_frame(points[number])) return;
    take_over(number, points[number], footprints.of(points[number]));
  }
  for (const causal::Waiting& waiting : execution->waiting) {
    const Footprint footprint = footprints.of(waiting);
    for (const size_t earlier : stack_->races_of(footprint)) turn_round(earlier, stack_->size(), footprint);
  }
}

// A frame for what comes next. False: what happened there was seen before, and
// the execution is of no further interest.
bool DporExplorer::begin_frame(const RunPoint& point) {
  Frame frame;
  frame.possible = point.possible;
  if (!frames_.empty()) {
    const Frame& before = frames_.back();
    const Footprint& step = stack_->footprint(frames_.size() - 1);
    for (const auto* sleepers : {&before.asleep, &before.tried})
      for (const Tried& sleeper : *sleepers)
        if (!are_dependent(sleeper.footprint, step)) frame.asleep.push_back(sleeper);
  }
  if (!frame.is_settled(point.process)) {
    frame.taken = point.process;
    frame.wanted[point.process] = std::nullopt;
    frames_.push_back(std::move(frame));
    return true;
  }
  for (const Possible& possible : frame.possible) {
    if (frame.is_settled(possible.process)) continue;
    if (possible.waits_in_loop) {
      gaps_.raise(HEDDLE_GAP_LOOP_ROUNDS);
      continue;
    }
    frame.wanted[possible.process] = std::nullopt;
    frames_.push_back(std::move(frame));
    break;
  }
  return false;
}

void DporExplorer::take_over(size_t number, RunPoint& point, const Footprint& footprint) {
  Frame& frame = frames_[number];
  frame.way = point.way;
  frame.other_ways.insert(frame.other_ways.end(), point.other_ways.begin(), point.other_ways.end());
  if (point.leaves_out_values) gaps_.raise(HEDDLE_GAP_CHOICE_VALUES, std::to_string(kMostChoiceValues));
  point.possible = frame.possible;
  stack_->push(point, footprint);
  const std::vector<size_t> races = stack_->races();
  for (const size_t earlier : races) turn_round(earlier, number, footprint);
}

void DporExplorer::turn_round(size_t earlier, size_t later, const Footprint& footprint) {
  Frame& frame = frames_[earlier];
  const Possible* chosen = nullptr;
  const Footprint* chosen_footprint = nullptr;
  bool waits_in_loop = false;
  for (const size_t first : stack_->firsts(earlier, later, footprint)) {
    const Footprint& step = first < stack_->size() ? stack_->footprint(first) : footprint;
    const Possible* possible = frame.find(step.process);
    if (!possible) continue;
    if (frame.wanted.count(step.process) || frame.is_settled(step.process)) return;
    waits_in_loop |= possible->waits_in_loop;
    if (possible->waits_in_loop || (chosen && first != later)) continue;
    chosen = possible;
    chosen_footprint = &step;
  }
  if (chosen) {
    frame.wanted[chosen->process] = *chosen_footprint;
  } else if (waits_in_loop) {
    gaps_.raise(HEDDLE_GAP_LOOP_ROUNDS);
  } else if (can_be_swapped(stack_->footprint(earlier), footprint)) {
    for (const Possible& possible : frame.possible)
      if (!possible.waits_in_loop) frame.wanted.try_emplace(possible.process);
  }
}

}  // namespace heddle::check
