// SPDX-License-Identifier: Apache-2.0
#include "check/learn/product_search.h"

#include <ctime>
#include <span>

namespace heddle::check::learn {

namespace {

double cpu_seconds() {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

void ProductSearch::begin() {
  has_begun_ = true;
  seconds_ = 0;
  store_.clear();
  ends_.clear();
  frames_.clear();
  steps_.clear();
  trail_.clear();
  footprints_.forget();
  state_ = machine_.initial();
  find_steps();
  frames_.push_back({store_.add(state_, model_.layout.ignored()).first, 0, 0, 0});
}

// Steps of state_ that have to be tried, at the end of steps_.
void ProductSearch::find_steps() {
  const size_t first = steps_.size();
  machine_.steps(state_, steps_);
  if (steps_.size() - first < 2 || state_[Layout::kAtomic]) return;
  const int64_t alone = footprints_.find_alone(state_, std::span(steps_).subspan(first));
  if (alone < 0) return;
  const size_t place = first + static_cast<size_t>(alone);
  const Step step = steps_[place];
  size_t kept = first;
  for (size_t i = first; i < steps_.size(); ++i)
    if (steps_[i].thread == step.thread && steps_[i].move == step.move && (step.move != Move::kFlush || i == place))
      steps_[kept++] = steps_[i];
  steps_.resize(kept);
}

ProductSearch::Pause ProductSearch::go_on() {
  const double begun = cpu_seconds();
  const Pause pause = explore();
  seconds_ += cpu_seconds() - begun;
  return pause;
}

ProductSearch::Pause ProductSearch::explore() {
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
ProductSearch::Pause ProductSearch::take(Step step) {
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
  } else if (const auto [id, is_new] = store_.add(state_, model_.layout.ignored()); is_new) {
    frames_.push_back({id, static_cast<uint32_t>(end_of_parent), static_cast<uint32_t>(end_of_parent),
                       static_cast<uint32_t>(trail_.size())});
  } else {
    steps_.resize(end_of_parent);
  }
  return pause;
}

void ProductSearch::finish(ThreadId last, Pause& pause) {
  switch (ends_.classify(state_, last)) {
    case EndKind::kComplete: ends_.add_complete(state_); break;
    case EndKind::kCutShort: break;
    case EndKind::kStuck:
      if (ends_.add_stuck(state_)) pause = Pause::kStuck;
      break;
  }
}

void ProductSearch::give_up() { ++frames_.back().next; }

}  // namespace heddle::check::learn
