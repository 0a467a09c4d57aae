// SPDX-License-Identifier: Apache-2.0
#include "check/clock_stack.h"

#include <algorithm>

namespace heddle::check {

namespace {

constexpr uint64_t kMostWords = 64;  // of a touch that is indexed

template <typename Lists>
auto& list_of(Lists& lists, causal::ThreadId thread) {
  if (lists.size() <= thread) lists.resize(thread + 1);
  return lists[thread];
}

}  // namespace

void ClockStack::Clock::raise(causal::ThreadId thread, uint32_t count) {
  if (counts_.size() <= thread) counts_.resize(thread + 1);
  counts_[thread] = std::max(counts_[thread], count);
}

void ClockStack::Clock::join(const Clock& other) {
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
  for (size_t i = 0; i < other.counts_.size(); ++i) counts_[i] = std::max(counts_[i], other.counts_[i]);
}

bool ClockStack::allows(size_t position, Process process) const {
  const std::vector<Process>& possible = steps_[position].possible;
  return std::find(possible.begin(), possible.end(), process) != possible.end();
}

// The words that it touches, each once; none: too many, or it is not known which.
std::vector<uint64_t> ClockStack::words_of(const Footprint& footprint) const {
  std::vector<uint64_t> words;
  if (footprint.everything) return words;
  for (const Touch& touch : footprint.touches) {
    const uint64_t size = std::max<uint64_t>(touch.size, 1);
    const uint64_t first = touch.address / 8, last = (touch.address + size - 1) / 8;
    if (last - first >= kMostWords) return {};
    for (uint64_t word = first; word <= last; ++word) words.push_back(word * 8 + static_cast<uint64_t>(touch.space));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

template <typename Visit>
void ClockStack::visit_uncovered(const Footprint& footprint, const Clock& clock, Visit visit) const {
  struct Rest {
    const Positions* positions;
    size_t left;
  };
  std::vector<Rest> rests;
  const auto add = [&](const ByThread& lists) {
    for (const Positions& positions : lists)
      if (!positions.empty()) rests.push_back({&positions, positions.size()});
  };
  const std::vector<uint64_t> words = words_of(footprint);
  const bool is_indexed = !words.empty() || (footprint.touches.empty() && !footprint.everything);
  if (is_indexed) {
    for (const uint64_t word : words)
      if (const auto found = index_.find(word); found != index_.end()) add(found->second);
    add(unindexed_);
  } else {
    add(own_);
  }
  for (size_t visited = steps_.size();;) {
    size_t latest = steps_.size();
    for (Rest& rest : rests) {
      while (rest.left > 0 && (*rest.positions)[rest.left - 1] >= visited) --rest.left;
      if (rest.left == 0) continue;
      const size_t position = (*rest.positions)[rest.left - 1];
      if (covers(clock, position)) {  // and with it all that are left of its thread
        rest.left = 0;
      } else if (latest == steps_.size() || position > latest) {
        latest = position;
      }
    }
    if (latest == steps_.size()) return;
    visited = latest;
    if (are_dependent(steps_[latest].footprint, footprint)) visit(latest);
  }
}

ClockStack::Past ClockStack::past_of(const Footprint& footprint) const {
  Past past;
  const Process process = footprint.process;
  const auto add_last_of = [&](causal::ThreadId thread) {
    if (thread < own_.size() && !own_[thread].empty()) past.certain.join(steps_[own_[thread].back()].before);
  };
  add_last_of(process.thread);
  if (footprint.joined) add_last_of(*footprint.joined);
  const bool has_own = process.thread < own_.size() && !own_[process.thread].empty();
  const size_t own = has_own ? own_[process.thread].back() + 1 : 0;
  for (size_t i = steps_.size(); i-- > own;) {
    if (allows(i, process)) continue;
    past.all.join(steps_[i].before);  // it made the step possible, or comes after the one that did
    if (footprint.follows_thread) past.certain.join(steps_[i].before);
    break;
  }
  past.all.join(past.certain);
  visit_uncovered(footprint, past.all, [&](size_t position) { past.all.join(steps_[position].before); });
  return past;
}

std::vector<size_t> ClockStack::races(const Footprint& footprint, const Clock& certain) const {
  std::vector<size_t> found;
  Clock ordered = certain;
  visit_uncovered(footprint, ordered, [&](size_t position) {
    found.push_back(position);
    // Races with steps before a swappable step are found once that step was swapped.
    if (can_be_swapped(steps_[position].footprint, footprint)) ordered.join(steps_[position].before);
  });
  return found;
}

void ClockStack::push(const RunPoint& point, Footprint footprint) {
  Past past = past_of(footprint);
  races_ = races(footprint, past.certain);
  const causal::ThreadId thread = footprint.process.thread;
  const auto position = static_cast<uint32_t>(steps_.size());
  Positions& own = list_of(own_, thread);
  Step step;
  step.number = static_cast<uint32_t>(own.size());
  step.before = std::move(past.all);
  step.before.raise(thread, step.number + 1);
  own.push_back(position);
  const std::vector<uint64_t> words = words_of(footprint);
  for (const uint64_t word : words) list_of(index_[word], thread).push_back(position);
  if (words.empty() && (footprint.everything || !footprint.touches.empty()))
    list_of(unindexed_, thread).push_back(position);
  step.footprint = std::move(footprint);
  for (const Possible& possible : point.possible) step.possible.push_back(possible.process);
  steps_.push_back(std::move(step));
}

void ClockStack::cut(size_t size) {
  for (; steps_.size() > size; steps_.pop_back()) {
    const Footprint& footprint = steps_.back().footprint;
    const causal::ThreadId thread = footprint.process.thread;
    own_[thread].pop_back();
    const std::vector<uint64_t> words = words_of(footprint);
    for (const uint64_t word : words) index_[word][thread].pop_back();
    if (words.empty() && (footprint.everything || !footprint.touches.empty())) unindexed_[thread].pop_back();
  }
}

std::vector<size_t> ClockStack::races_of(const Footprint& waiting) const {
  return races(waiting, past_of(waiting).certain);
}

size_t ClockStack::first_after(causal::ThreadId thread, size_t position) const {
  const auto next = std::upper_bound(own_[thread].begin(), own_[thread].end(), position);
  return next == own_[thread].end() ? steps_.size() : *next;
}

// The steps between the two that do not come after the earlier one are, of each thread, its first ones. Only the very
// first of a thread can be one before which none of them comes.
std::vector<size_t> ClockStack::firsts(size_t earlier, size_t later, const Footprint& footprint) const {
  std::vector<size_t> moved;  // the first of each thread
  for (causal::ThreadId thread = 0; thread < own_.size(); ++thread) {
    const size_t first = first_after(thread, earlier);
    if (first < later && first < steps_.size() && !covers(steps_[first].before, earlier)) moved.push_back(first);
  }
  std::sort(moved.begin(), moved.end());
  const auto none_before = [&](const Clock& before, size_t itself) {
    return std::none_of(moved.begin(), moved.end(),
                        [&](size_t other) { return other != itself && covers(before, other); });
  };
  std::vector<size_t> firsts;
  for (const size_t first : moved)
    if (none_before(steps_[first].before, first)) firsts.push_back(first);
  const Clock past = later < steps_.size() ? steps_[later].before : past_of(footprint).all;
  if (none_before(past, later)) firsts.push_back(later);
  return firsts;
}

}  // namespace heddle::check
