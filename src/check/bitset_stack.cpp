// SPDX-License-Identifier: Apache-2.0
#include "check/bitset_stack.h"

#include <algorithm>

namespace heddle::check {

void Positions::add(size_t position) {
  if (words_.size() <= position / 64) words_.resize(position / 64 + 1);
  words_[position / 64] |= uint64_t{1} << (position % 64);
}

void Positions::add(const Positions& others) {
  if (words_.size() < others.words_.size()) words_.resize(others.words_.size());
  for (size_t i = 0; i < others.words_.size(); ++i) words_[i] |= others.words_[i];
}

bool BitsetStack::allows(size_t position, Process process) const {
  const std::vector<Process>& possible = steps_[position].possible;
  return std::find(possible.begin(), possible.end(), process) != possible.end();
}

BitsetStack::Past BitsetStack::past_of(const Footprint& footprint) const {
  Past past;
  const Process process = footprint.process;
  bool is_after_own = true;  // the steps looked at come after the last one of this process
  bool made_possible = false;
  for (size_t i = steps_.size(); i--;) {
    const Process other = steps_[i].footprint.process;
    const bool is_own = other.thread == process.thread;
    if (is_own && (footprint.drains_buffer || are_dependent(steps_[i].footprint, footprint)))
      past.certain.add(steps_[i].before);
    if (footprint.joined == other.thread) past.certain.add(steps_[i].before);
    if (other == process) is_after_own = false;
    if (!is_after_own || allows(i, process)) continue;
    // A load that waits for stores of its thread waits for all of them.
    if (is_own && other.is_flush() && !process.is_flush() && overlap(steps_[i].footprint, footprint))
      past.certain.add(steps_[i].before);
    if (made_possible) continue;
    made_possible = true;  // by this step, or by an earlier one that it comes after
    past.all.add(steps_[i].before);
    if (is_own || footprint.follows_thread) past.certain.add(steps_[i].before);
  }
  past.all.add(past.certain);
  for (size_t i = steps_.size(); i--;)
    if (!past.all.has(i) && are_dependent(steps_[i].footprint, footprint)) past.all.add(steps_[i].before);
  return past;
}

std::vector<size_t> BitsetStack::races(const Footprint& footprint, const Positions& certain) const {
  std::vector<size_t> found;
  Positions ordered = certain;
  for (size_t i = steps_.size(); i--;) {
    if (ordered.has(i) || !are_dependent(steps_[i].footprint, footprint)) continue;
    found.push_back(i);
    // Races with steps before a swappable step are found once that step was swapped.
    if (wanted_ == Races::kNearest && can_be_swapped(steps_[i].footprint, footprint)) ordered.add(steps_[i].before);
  }
  return found;
}

void BitsetStack::push(const RunPoint& point, Footprint footprint) {
  Past past = past_of(footprint);
  races_ = races(footprint, past.certain);
  Step step;
  step.before = std::move(past.all);
  step.before.add(steps_.size());
  step.footprint = std::move(footprint);
  for (const Possible& possible : point.possible) step.possible.push_back(possible.process);
  steps_.push_back(std::move(step));
}

std::vector<size_t> BitsetStack::races_of(const Footprint& waiting) const {
  return races(waiting, past_of(waiting).certain);
}

std::vector<size_t> BitsetStack::firsts(size_t earlier, size_t later, const Footprint& footprint) const {
  std::vector<size_t> moved, firsts;
  const Positions past = later < steps_.size() ? steps_[later].before : past_of(footprint).all;
  const auto none_before = [&](const Positions& before) {
    return std::none_of(moved.begin(), moved.end(), [&](size_t other) { return before.has(other); });
  };
  for (size_t i = earlier + 1; i < later; ++i) {
    if (steps_[i].before.has(earlier)) continue;
    if (none_before(steps_[i].before)) firsts.push_back(i);
    moved.push_back(i);
  }
  if (none_before(past)) firsts.push_back(later);
  return firsts;
}

}  // namespace heddle::check
