// SPDX-License-Identifier: Apache-2.0
#include "check/learn/stretches.h"

#include <algorithm>

namespace heddle::check::learn {

// More is known of the threads.
void Stretches::forget() {
  version_ = footprints_.version();
  ++round_;
  beginnings_.resize(model_.automata.size() + 1);
  stretches_.resize(1);
  words_.clear();
  steps_.clear();
  deaths_.clear();
}

bool Stretches::fits(const State& state, ThreadId thread, const Stretch& stretch) const {
  for (uint32_t i = stretch.found; i < stretch.changed; ++i)
    if (state[words_[i].slot] != words_[i].word) return false;
  for (uint32_t i = stretch.deaths; i < stretch.end_of_deaths; ++i)
    if (machine_.is_awaited(state, deaths_[i], thread)) return false;
  return true;
}

// 0: there is none.
uint32_t Stretches::find(const State& state, ThreadId thread, StepMask asleep) {
  const uint32_t buffer = machine_.buffer_of(state, thread);
  uint32_t at = first_at(machine_.point_of(state, thread));
  const auto may_be = [&](const Stretch& stretch) {
    return stretch.buffer == buffer && fits(state, thread, stretch) &&
           footprints_.may_pass(state, thread, stretch.passed, asleep);
  };
  while (at && !may_be(stretches_[at])) at = stretches_[at].other;
  return at;
}

void Stretches::repeat_known(State& state, ThreadId thread, std::vector<Step>& path, StepMask& asleep) {
  footprints_.let_go();
  while (const uint32_t found = find(state, thread, asleep)) {
    end(state);
    const Stretch& stretch = stretches_[found];
    if (asleep) asleep = footprints_.still_asleep(state, thread, stretch.passed, asleep);
    for (uint32_t i = stretch.changed; i < stretch.end; ++i) state.set(words_[i].slot, words_[i].word);
    path.insert(path.end(), steps_.begin() + stretch.steps, steps_.begin() + stretch.end_of_steps);
  }
}

void Stretches::begin(const State& state, ThreadId thread) {
  if (version_ != footprints_.version()) forget();
  point_ = machine_.point_of(state, thread);
  Beginning& beginning = beginnings_[point_];
  if (beginning.round != round_) beginning = {0, 0, round_};
  if (beginning.tries >= kMostTries || stretches_.size() >= kMost) return;
  ++beginning.tries;
  is_noting_ = true;
  thread_ = thread;
  mark_ = state.now();
  noted_ = {};
  noted_.buffer = machine_.buffer_of(state, thread);
  noted_.steps = static_cast<uint32_t>(steps_.size());
  noted_.deaths = static_cast<uint32_t>(deaths_.size());
  found_.clear();
}

void Stretches::note_found(uint32_t slot) {
  if (slot && std::find(found_.begin(), found_.end(), slot) == found_.end()) found_.push_back(slot);
}

void Stretches::note_memory(const Point& point) {
  for (const uint32_t word : point.words) note_found(word);
}

// Locals that end, and that others may have stores for in their buffers.
void Stretches::note_deaths(const Point& point) {
  if (model_.memory == MemoryModel::kSc) return;
  for (const Edge& edge : point.edges) {
    if (!edge.deaths) continue;
    for (const Range& death : model_.automata.deaths(edge)) {
      for (uint64_t word = death.address / 8; word <= (death.address + death.size - 1) / 8; ++word) {
        const auto slot = model_.layout.find(Space::kWord, word);
        if (!slot || model_.layout.is_ignored(*slot)) continue;
        deaths_.push_back(death);
        break;
      }
    }
  }
}

void Stretches::note_step(const State& state, const Step& step) {
  const bool is_full = steps_.size() - noted_.steps >= kMostSteps;
  if (step.thread != thread_ || is_full || !footprints_.pass(state, step, noted_.passed)) return end(state);
  if (step.move == Move::kFlush) {
    note_memory(
        model_.automata[StoreBuffers::point(model_.buffers.content(machine_.buffer_of(state, thread_))[step.choice])]);
  } else {
    const Point& point = machine_.at(state, thread_);
    note_found(point.block);
    note_memory(point);
    note_deaths(point);
  }
  steps_.push_back(step);
}

// What has changed since the beginning, and what it was; false: more than the thread's own affairs.
bool Stretches::keep_changes(const State& state) {
  const auto changes = state.since(mark_);
  const auto before = [&](uint32_t slot) {
    for (const State::Change& change : changes)
      if (change.slot == slot) return change.before;
    return state[slot];
  };
  noted_.found = static_cast<uint32_t>(words_.size());
  for (const uint32_t slot : found_) words_.push_back({slot, before(slot)});
  noted_.changed = static_cast<uint32_t>(words_.size());
  for (const State::Change& change : changes) {
    const auto is_same = [&](const Word& known) { return known.slot == change.slot; };
    if (std::any_of(words_.begin() + noted_.changed, words_.end(), is_same)) continue;
    for (ThreadId thread = 0; thread < model_.buffer_slots.size(); ++thread)
      if (thread != thread_ && model_.buffer_slots[thread] == change.slot && change.slot) return false;
    words_.push_back({change.slot, state[change.slot]});
  }
  noted_.end = static_cast<uint32_t>(words_.size());
  return true;
}

void Stretches::keep(const State& state) {
  is_noting_ = false;
  noted_.end_of_steps = static_cast<uint32_t>(steps_.size());
  noted_.end_of_deaths = static_cast<uint32_t>(deaths_.size());
  const size_t words = words_.size();
  if (noted_.end_of_steps - noted_.steps < kFewestSteps || !keep_changes(state)) {
    words_.resize(words);
    steps_.resize(noted_.steps);
    deaths_.resize(noted_.deaths);
    return;
  }
  noted_.other = beginnings_[point_].first;
  beginnings_[point_].first = static_cast<uint32_t>(stretches_.size());
  stretches_.push_back(noted_);
}

}  // namespace heddle::check::learn
