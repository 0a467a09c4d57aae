// SPDX-License-Identifier: Apache-2.0
#include "check/learn/search.h"

namespace heddle::check::learn {

void Search::begin() {
  has_begun_ = true;
  most_states_ = states();
  store_.clear();
  ends_.clear();
  frames_.clear();
  steps_.clear();
  trail_.clear();
  footprints_.forget();
  state_ = machine_.initial();
  find_steps();
  frames_.push_back({store_.add(state_).first, 0, 0, 0});
}

// Steps of state_ that have to be tried, at the end of steps_.
void Search::find_steps() {
  const size_t first = steps_.size();
  machine_.steps(state_, steps_);
  if (steps_.size() - first < 2 || state_[Layout::kAtomic]) return;
  for (size_t i = first; i < steps_.size(); ++i) {
    const Step step = steps_[i];
    if (!footprints_.is_alone(state_, step)) continue;
    size_t kept = first;
    for (size_t k = first; k < steps_.size(); ++k)
      if (steps_[k].thread == step.thread && steps_[k].move == step.move && (step.move != Move::kFlush || k == i))
        steps_[kept++] = steps_[k];
    steps_.resize(kept);
    return;
  }
}

Search::Pause Search::go_on() {
  if (!has_begun_) begin();
  for (;;) {
    while (!frames_.empty()) {
      if (budget_.is_spent()) return Pause::kSpent;
      if (store_.is_full()) return Pause::kFull;
      Frame& frame = frames_.back();
      const bool is_last = frame.next == steps_.size();
      if (is_last) {
        steps_.resize(frame.begin);
        frames_.pop_back();
        continue;
      }
      trail_.resize(frame.trail);
      state_.resize(model_.layout.size());
      store_.read(frame.state, state_);
      const Step step = steps_[frame.next];
      if (step.move == Move::kOperation && machine_.is_in_loop(state_, step.thread)) {
        ++frame.next;  // that it only waits was not known when the step was found
        continue;
      }
      const Pause pause = take(step);
      if (pause != Pause::kDone) return pause;
    }
    if (!footprints_.was_wrong()) return Pause::kDone;
    begin();
  }
}

// Takes a step and all that follow without a choice, and enters where they lead.
Search::Pause Search::take(Step step) {
  const size_t parent = frames_.size() - 1;
  const size_t end_of_parent = steps_.size();
  for (;;) {
    trail_.push_back(step);
    const PointId from = machine_.point_of(state_, step.thread);
    if (!machine_.apply(state_, step)) {
      missing_ = {from, machine_.predict(state_, step).result};
      steps_.resize(end_of_parent);
      return Pause::kMissing;
    }
    steps_.resize(end_of_parent);
    find_steps();
    if (steps_.size() != end_of_parent + 1) break;
    step = steps_.back();
  }
  ++frames_[parent].next;
  Pause pause = Pause::kDone;
  if (steps_.size() == end_of_parent) {
    finish(step.thread, pause);
  } else if (const auto [id, is_new] = store_.add(state_); is_new) {
    frames_.push_back({id, static_cast<uint32_t>(end_of_parent), static_cast<uint32_t>(end_of_parent),
                       static_cast<uint32_t>(trail_.size())});
  } else {
    steps_.resize(end_of_parent);
  }
  return pause;
}

void Search::finish(ThreadId last, Pause& pause) {
  switch (ends_.classify(state_, last)) {
    case EndKind::kComplete: ends_.add_complete(state_); break;
    case EndKind::kCutShort: break;
    case EndKind::kStuck:
      if (ends_.add_stuck(state_)) pause = Pause::kStuck;
      break;
  }
}

void Search::give_up() { ++frames_.back().next; }

}  // namespace heddle::check::learn
