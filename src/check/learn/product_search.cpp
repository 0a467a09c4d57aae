// SPDX-License-Identifier: Apache-2.0
#include "check/learn/product_search.h"

#include <algorithm>
#include <ctime>

namespace heddle::check::learn {

namespace {

constexpr int64_t kNobody = -2;  // is alone to the end

double cpu_seconds() {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

void ProductSearch::begin() {
  has_begun_ = true;
  seconds_ = 0;
  taken_ = 0;
  store_.clear();
  tails_.clear();
  ends_.clear();
  frames_.clear();
  steps_.clear();
  trail_.clear();
  if (model_.races) model_.races->begin();
  footprints_.forget();
  state_ = machine_.initial();
  find_steps(causal::kMainThread);
  enter(0, 0);
}

// Steps of state_ that have to be tried, at the end of steps_. `last`: who moved last.
void ProductSearch::find_steps(ThreadId last) {
  const bool may_be_alone = !state_[Layout::kEnded] && !state_[Layout::kAtomic];
  if (may_be_alone && footprints_.find_alone(state_, last, steps_)) return;
  machine_.steps(state_, steps_);
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
      if (model_.races && model_.races->has_found()) return Pause::kRace;
      if (budget_.is_spent()) return Pause::kSpent;
      if (store_.is_full(model_.layout.size())) return Pause::kFull;
      if (was_wrong() && store_.size() >= 2 * abandoned_) {  // the more was done, the rarer
        abandoned_ = store_.size();
        begin();
        continue;
      }
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
      if (steps_[frame.next].is_vague) renew(frame);
      if (frame.next == steps_.size()) continue;
      const Step step = steps_[frame.next];
      if (step.move == Move::kOperation && machine_.is_in_loop(state_, step.thread)) {
        ++frame.next;  // that it only waits was not known when the step was found
        continue;
      }
      const Pause pause = take(step);
      if (pause != Pause::kDone) return pause;
    }
    if (model_.races && model_.races->has_found()) return Pause::kRace;
    if (!was_wrong() && !(model_.races && model_.races->needs_another_round())) return Pause::kDone;
    begin();
  }
}

bool ProductSearch::was_wrong() const { return footprints_.was_wrong() || (model_.races && model_.races->was_wrong()); }

// More may be known by now of what the next step is.
void ProductSearch::renew(const Frame& frame) {
  const Step old = steps_[frame.next];
  steps_.erase(steps_.begin() + frame.next);
  std::vector<Step> forms;
  machine_.operations_of(state_, old.thread, forms);
  const auto same = [&](const Step& form) { return form.is_vague && form.choice == old.choice; };
  if (std::any_of(forms.begin(), forms.end(), same)) forms = {old};
  steps_.insert(steps_.begin() + frame.next, forms.begin(), forms.end());
}

// Takes a step and all that follow without a choice, and enters where they lead.
ProductSearch::Pause ProductSearch::take(Step step) {
  const size_t parent = frames_.size() - 1;
  const size_t end_of_parent = steps_.size();
  const StepMask taken = footprints_.mask_of(state_, step);
  StepMask asleep = frames_[parent].asleep;
  Pause pause = Pause::kDone;
  bool is_asleep = false;  // nothing is left to do
  int64_t sole = -1;  // the only thread that is left
  bool is_known = false;
  for (;;) {
    if (model_.races) model_.races->look(state_, step, trail_);
    trail_.push_back(step);
    ++taken_;
    asleep = footprints_.still_asleep(state_, step, asleep);
    const PointId from = machine_.point_of(state_, step.thread);
    if (!machine_.apply(state_, step)) {
      missing_ = {from, machine_.predict(state_, step).result};
      steps_.resize(end_of_parent);
      return Pause::kMissing;
    }
    if (model_.races) model_.races->note_raced(trail_);
    steps_.resize(end_of_parent);
    find_steps(step.thread);
    if (steps_.size() != end_of_parent + 1) break;
    step = steps_.back();
    if (asleep && (is_asleep = asleep & footprints_.mask_of(state_, step))) {
      steps_.resize(end_of_parent);
      break;
    }
    if (sole >= 0 && sole != step.thread) sole = kNobody;  // it has created another one
    if (sole == -1 && (sole = find_sole(trail_.back().thread)) >= 0 && tails_.finish(state_, step.thread)) {
      is_known = true;
      steps_.resize(end_of_parent);
      break;
    }
  }
  if (sole >= 0 && steps_.size() == end_of_parent && !is_asleep && !is_known)
    tails_.add_end(state_, static_cast<ThreadId>(sole));
  ++frames_[parent].next;
  frames_[parent].asleep |= taken;
  if (steps_.size() > end_of_parent) {
    enter(end_of_parent, asleep);
  } else if (!is_asleep) {
    finish(step.thread, pause);
  }
  return pause;
}

// Comes to state_, whose steps are those from `begin` on.
void ProductSearch::enter(size_t begin, StepMask asleep) {
  const auto [id, is_new] = store_.add(state_, model_.layout.ignored());
  if (is_new) {
    store_.set_mask(id, keep_steps(begin, asleep, false));
  } else {
    const StepMask left = store_.mask(id), awake = left & ~asleep;
    steps_.resize(begin);
    if (!awake) return;
    store_.set_mask(id, left & asleep);
    machine_.steps(state_, steps_);
    keep_steps(begin, awake, true);
  }
  if (steps_.size() == begin) return;
  const uint32_t place = static_cast<uint32_t>(begin);
  frames_.push_back({id, place, place, static_cast<uint32_t>(trail_.size()), asleep});
}

// Of the steps from `begin` on, keeps those in the mask, or those that are not; the mask of the others.
StepMask ProductSearch::keep_steps(size_t begin, StepMask mask, bool wanted) {
  StepMask dropped = 0;
  size_t kept = begin;
  for (size_t i = begin; i < steps_.size(); ++i) {
    const StepMask own = mask || wanted ? footprints_.mask_of(state_, steps_[i]) : 0;
    if (((own & mask) != 0) == wanted) {
      steps_[kept++] = steps_[i];
    } else {
      dropped |= own;
    }
  }
  steps_.resize(kept);
  return dropped;
}

int64_t ProductSearch::find_sole(ThreadId moved) {
  if (machine_.at(state_, moved).is_known() || state_[Layout::kAtomic]) return -1;
  int64_t sole = -1;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const PointId id = machine_.point_of(state_, thread);
    if (!id) continue;
    if (machine_.buffer_of(state_, thread)) return -1;
    const Standing standing = model_.automata[id].standing;
    if (standing == Standing::kEnded || standing == Standing::kFailed) continue;
    if (sole >= 0) return -1;
    sole = thread;
  }
  return sole;
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
