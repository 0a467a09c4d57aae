// SPDX-License-Identifier: Apache-2.0
#include "check/learn/product_search.h"

#include <algorithm>
#include <ctime>

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
  add_up();
  find_steps({Move::kOperation, causal::kMainThread, false, 0});
  enter(find_state(), 0, 0);
}

// Where state_ is among those that are kept.
StateStore::Sought ProductSearch::find_state() {
  move_sum();
  if (exchanges()) return store_.find(symmetry_->representative(state_));
  return store_.find(state_.words(), sum_);
}

void ProductSearch::move_sum() {
  sum_ = store_.moved(sum_, state_.since(summed_));
  summed_ = state_.now();
}

// There may be more words. As they are 0 in all states so far, sums stay what they are.
void ProductSearch::know_words() {
  state_.grow(model_.layout.size());
  store_.know(state_.size());
}

// Words may have other weights now: the sums of all states on the path.
void ProductSearch::add_up() {
  know_words();
  sum_ = store_.sum_of(state_.words());
  summed_ = state_.now();
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    sum_ -= store_.moved(0, state_.since(frame->mark).first(summed_ - frame->mark));
    summed_ = frame->mark;
    frame->sum = sum_;
  }
}

// Steps of state_, which `last` led to, that have to be tried, at the end of steps_; none if the state is one of those
// that are kept.
StateStore::Sought ProductSearch::find_steps(const Step& last) {
  if (state_[Layout::kEnded]) return {};
  move_sum();
  store_.expect(sum_);
  const size_t begin = steps_.size();
  const bool may_be_alone = !state_[Layout::kAtomic];
  if (may_be_alone && last.move != Move::kFlush && footprints_.find_alone_of(state_, last.thread, steps_) &&
      steps_.size() == begin + 1)
    return {};
  const StateStore::Sought sought = find_state();
  if (sought.id) {
    steps_.resize(begin);
    return sought;
  }
  if (steps_.size() == begin && !(may_be_alone && footprints_.find_alone(state_, steps_)))
    machine_.steps(state_, steps_);
  return sought;
}

ProductSearch::Pause ProductSearch::go_on() {
  const double begun = cpu_seconds();
  const Pause pause = explore();
  seconds_ += cpu_seconds() - begun;
  return pause;
}

ProductSearch::Pause ProductSearch::explore() {
  const bool has_other_weights = ignored_version_ != model_.layout.ignored_version();
  if (has_other_weights) {
    ignored_version_ = model_.layout.ignored_version();
    store_.ignore(model_.layout.ignored());
    tails_.ignore(model_.layout.ignored());
  }
  if (!has_begun_) {
    begin();
  } else if (has_other_weights) {
    add_up();
  } else {
    know_words();
  }
  for (;;) {
    while (!frames_.empty()) {
      if (model_.races && model_.races->has_found()) return Pause::kRace;
      if (++turns_ % kTurnsBetweenLooks == 0 && budget_.is_spent()) return Pause::kSpent;
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
      state_.go_back(frame.mark);
      sum_ = frame.sum;
      summed_ = frame.mark;
      if (steps_[frame.next].is_vague) renew(frame);
      if (frame.next == steps_.size()) continue;
      const Step step = steps_[frame.next];
      if (step.move == Move::kOperation && !machine_.at(state_, step.thread).looks.empty() &&
          machine_.is_in_loop(state_, step.thread)) {
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
  const StepMask taken =
      exchanges() ? 0 : footprints_.mask_of(state_, step);  // 0: nothing sleeps; who would is not known by its name
  StepMask asleep = frames_[parent].asleep;
  StateStore::Sought sought;
  bool is_asleep = false;   // nothing is left to do
  ThreadId sole = kNobody;  // the only thread that can do something
  tails_.forget_asked();
  stretches_.drop();
  const bool has_long_stretches = 2 * taken_ >= kManySteps * store_.size();  // otherwise it is not worth it
  for (;;) {
    stretches_.note(state_, step);
    if (model_.races) model_.races->look(state_, step, trail_);
    trail_.push_back(step);
    ++taken_;
    if (asleep) asleep = footprints_.still_asleep(state_, step, asleep);
    const PointId from = machine_.point_of(state_, step.thread);
    const bool may_stay_sole =
        sole != kNobody && model_.automata[from].topic == Topic::kMemory && footprints_.mask_of(state_, step);
    if (!machine_.apply(state_, step)) {
      stretches_.drop();
      missing_ = {from, machine_.predict(state_, step).result};
      steps_.resize(end_of_parent);
      return Pause::kMissing;
    }
    if (model_.races) model_.races->note_raced(trail_);
    steps_.resize(end_of_parent);
    if (!may_stay_sole) sole = kNobody;
    const bool has_ended = !machine_.at(state_, step.thread).is_known();
    if (has_ended || model_.automata[from].kind == HEDDLE_THREAD_JOIN) {
      const Remaining remaining = find_remaining(has_ended);
      if (remaining.ended) {
        move_sum();
        if (const std::optional<EndKind> end = tails_.finish(state_, sum_, remaining.ended)) {
          ++frames_[parent].next;
          frames_[parent].asleep |= taken;
          tails_.add_end(state_, *end);
          if (*end == EndKind::kComplete) ends_.add_complete(state_);
          return Pause::kDone;
        }
      }
      sole = remaining.sole;
    }
    const bool may_go_along = has_long_stretches && !model_.races && !has_ended && !state_[Layout::kEnded] &&
                              !state_[Layout::kAtomic] && sole == kNobody;
    if (!may_go_along) stretches_.end(state_);
    if (sole != kNobody) {
      machine_.steps_of(state_, sole, steps_);
      if (steps_.size() == end_of_parent + 1) {
        step = steps_.back();
        continue;
      }
      steps_.resize(end_of_parent);
    }
    if (may_go_along) go_along_stretches(step, asleep);
    sought = find_steps(step);
    if (sought.id || steps_.size() != end_of_parent + 1) {
      stretches_.end(state_);
      break;
    }
    step = steps_.back();
    if (may_go_along && !stretches_.is_noting()) stretches_.begin(state_, step.thread);
    if (asleep && (asleep & footprints_.mask_of(state_, step))) {
      is_asleep = true;
      stretches_.end(state_);
      break;
    }
  }
  ++frames_[parent].next;
  frames_[parent].asleep |= taken;
  if (is_asleep) {
    steps_.resize(end_of_parent);
  } else if (sought.id || steps_.size() > end_of_parent) {
    enter(sought, end_of_parent, asleep);
  } else {
    return finish(step.thread);
  }
  return Pause::kDone;
}

// Whoever moved last goes on as far as it is known to concern nobody.
void ProductSearch::go_along_stretches(Step& last, StepMask& asleep) {
  const size_t before = trail_.size();
  stretches_.repeat(state_, last.thread, trail_, asleep);
  if (trail_.size() == before) return;
  taken_ += trail_.size() - before;
  last = trail_.back();
}

// Comes to state_; if it is new, its steps are those from `begin` on.
void ProductSearch::enter(const StateStore::Sought& sought, size_t begin, StepMask asleep) {
  StateStore::Id id = sought.id;
  if (!id) {
    const StepMask left = keep_steps(begin, asleep, false);
    id = store_.add(exchanges() ? symmetry_->representative(state_) : state_.words(), sought, left != 0);
    if (left) store_.set_mask(id, left);
  } else {
    const StepMask left = store_.mask(id), awake = left & ~asleep;
    if (!awake) return;
    store_.set_mask(id, left & asleep);
    machine_.steps(state_, steps_);
    keep_steps(begin, awake, true);
  }
  if (steps_.size() == begin) return;
  const uint32_t place = static_cast<uint32_t>(begin);
  frames_.push_back({place, place, static_cast<uint32_t>(trail_.size()), asleep, state_.now(), sum_});
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

// Whether the thread may do something before others end.
bool ProductSearch::is_going(ThreadId thread) const {
  const Point& point = machine_.at(state_, thread);
  return point.standing == Standing::kPerformed && (point.kind != HEDDLE_THREAD_JOIN || point.object);
}

ProductSearch::Remaining ProductSearch::find_remaining(bool asks_who_has_ended) {
  if (state_[Layout::kEnded] || state_[Layout::kAtomic]) return {};
  if (going_.first != going_.second && is_going(going_.first) && is_going(going_.second))
    return {};  // as before, mostly
  Remaining remaining;
  bool can_others_go = false;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const PointId id = machine_.point_of(state_, thread);
    if (!id) continue;
    const Point& point = model_.automata[id];
    const bool has_buffer = machine_.buffer_of(state_, thread);
    if (point.standing == Standing::kEnded || point.standing == Standing::kFailed) {
      if (has_buffer) return {};
      if (asks_who_has_ended) remaining.ended |= Tails::ThreadMask{1} << thread;
    } else if (has_buffer || !point.is_known() || point.kind != HEDDLE_THREAD_JOIN || point.object) {
      if (remaining.sole != kNobody) {
        going_ = {remaining.sole, thread};
        return {};
      }
      remaining.sole = thread;
    } else {
      can_others_go |= machine_.has_ended(state_, static_cast<ThreadId>(point.value));
    }
  }
  if (can_others_go) remaining.sole = kNobody;
  return remaining;
}

ProductSearch::Pause ProductSearch::finish(ThreadId last) {
  const EndKind kind = ends_.classify(state_, last);
  tails_.add_end(state_, kind);
  switch (kind) {
    case EndKind::kComplete: ends_.add_complete(state_); break;
    case EndKind::kCutShort: break;
    case EndKind::kStuck:
      if (ends_.add_stuck(state_)) return Pause::kStuck;
      break;
  }
  return Pause::kDone;
}

void ProductSearch::give_up() { ++frames_.back().next; }

}  // namespace heddle::check::learn
