// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_question.h"

#include <algorithm>

namespace heddle::predict {

using solve::Formula;
using solve::Term;

namespace {

// Of the solver, for a question: Z3 takes about ten million a second. The time is there in case that it does not count
// what takes it.
constexpr uint64_t kMostSolverSteps = 1'000'000;
constexpr double kMostSeconds = 10;

bool is_plain_access(const HeddleRecord& record) { return record.kind >= HEDDLE_LOAD && record.kind <= HEDDLE_FENCE; }

}  // namespace

std::optional<std::vector<property::PlannedStep>> RecipeQuestion::answer(const RecipeGoal& goal) {
  goal_ = &goal;
  for (const EventId event : goal.next)
    if (event.index < window_.first(event.thread) || event.index > window_.limit(event.thread)) return std::nullopt;
  slice_.emplace(window_, terms_, goal);
  solver_.clear();
  encode_order();
  encode_needs();
  if (!encode_reads()) return std::nullopt;
  encode_conditions();
  if (!encode_locks()) return std::nullopt;
  encode_attempts();
  for (const auto& [address, condition] : window_.objects().conditions()) encode_waits(condition);
  for (const auto& [address, semaphore] : window_.objects().semaphores()) encode_tokens(semaphore);
  encode_barriers();
  if (!find_order()) return std::nullopt;
  return plan();
}

// Asks until the answer has all that was left out of the question.
bool RecipeQuestion::find_order() {
  const uint64_t before = solver_.steps();
  for (;;) {
    const uint64_t taken = solver_.steps() - before;
    const solve::TermSolver::Result result =
        taken < kMostSolverSteps ? solver_.check(kMostSeconds, static_cast<uint32_t>(kMostSolverSteps - taken))
                                 : solve::TermSolver::Result::kUnknown;
    if (result == solve::TermSolver::Result::kUnknown) is_complete_ = false;
    if (result != solve::TermSolver::Result::kYes) return false;
    if (!require_exclusions()) return true;
  }
}

std::optional<EventId> RecipeQuestion::kept(uint32_t thread, const std::optional<uint32_t>& index) const {
  if (!index || !is_kept({thread, *index})) return std::nullopt;
  return EventId{thread, *index};
}

std::optional<EventId> RecipeQuestion::next_kept(uint32_t thread, uint32_t index) const {
  const auto found = std::lower_bound(kept_[thread].begin(), kept_[thread].end(), index);
  if (found == kept_[thread].end()) return std::nullopt;
  return EventId{thread, *found};
}

RecipeQuestion::Formulas RecipeQuestion::unless_later(EventId event) {
  if (goal_->is_of(event.thread)) return {};
  return {solver_.before(point_, events_.at(event))};
}

void RecipeQuestion::encode_order() {
  events_.clear();
  kept_.assign(window_.threads(), {});
  point_ = solver_.new_event();
  for (uint32_t t = 0; t < window_.threads(); ++t) {
    std::optional<EventId> last;
    for (uint32_t index = window_.first(t); index < slice_->end(t); ++index) {
      const EventId event{t, index};
      if (slice_->leaves_out(event)) continue;
      events_[event] = solver_.new_event();
      kept_[t].push_back(index);
      if (last) solver_.require(before(*last, event));
      last = event;
    }
    if (last && goal_->is_of(t)) solver_.require(solver_.before(events_.at(*last), point_));
  }
  if (goal_->exact) events_[*goal_->exact] = point_;
}

void RecipeQuestion::encode_needs() {
  for (const auto& [one, other] : window_.objects().edges())
    if (is_kept(one) && is_kept(other)) solver_.require(before(one, other));
  for (const auto& [event, place] : events_) {
    // What it needs and is beyond all that may happen before the point: then so is it.
    for (const EventId needed : window_.needs(event))
      if (!is_kept(needed)) solver_.require(solver_.any(unless_later(event)));
    const HeddleRecord& record = window_.record(event);
    const auto allocation = is_plain_access(record) ? window_.memory().allocation(record.address) : std::nullopt;
    if (allocation && allocation->thread != event.thread && is_kept(*allocation))
      solver_.require(before(*allocation, event));
  }
  for (const EventId goal : goal_->next) {
    const auto allocation =
        window_.has(goal) ? window_.memory().allocation(window_.record(goal).address) : std::nullopt;
    if (!allocation || allocation->thread == goal.thread) continue;
    solver_.require(is_kept(*allocation) ? solver_.before(events_.at(*allocation), point_) : solver_.truth(false));
  }
}

void RecipeQuestion::encode_conditions() {
  for (const Term symbol : slice_->known_symbols())
    solver_.require(solver_.holds(terms_.eq(symbol, terms_.constant(terms_.width(symbol), terms_.observed(symbol)))));
  for (uint32_t t = 0; t < window_.threads(); ++t) {
    const auto [first, last] = slice_->conditions(t);
    for (size_t i = first; i < last; ++i) {
      const symbolic::Condition& condition = window_.conditions(t)[i];
      if (goal_->is_of(t)) {
        solver_.require(solver_.holds(condition.holds));
        continue;
      }
      const std::optional<EventId> next = next_kept(t, condition.before_operation);
      if (!next) continue;  // nothing of the thread that matters follows
      Formulas ways = unless_later(*next);
      ways.push_back(solver_.holds(condition.holds));
      solver_.require(solver_.any(ways));
    }
  }
  if (goal_->wanted) solver_.require(solver_.holds(*goal_->wanted));
}

}  // namespace heddle::predict
