// SPDX-License-Identifier: Apache-2.0
//
// Is there another order of a window's operations, in which reads may find other
// values, after which these operations are what their threads do next? The
// question as formulas, after RECIPE (sections V and VI of its paper):
//
//   local order     operations of a thread keep their order
//   values          a write writes its term over what its thread has read
//   interference    a read finds what the last write before it wrote, or what was there at first
//   path            branches go the same way
//   heap            what is accessed stays where it was
//   synchronisation sections of a lock do not overlap; creation, end, and other objects
//   goal            the given operations come next
//
// There is a point after which nothing matters. What an operation asks for binds
// only if it comes before that point:
//
//   T1: f = 1; r = d        the race on d: T2 has read f before f = 1, whatever
//   T2: d = 1; if (f) ...   the branch does later
//
// Before that the window is cut down to what can matter (recipe_slice.h). One file
// per topic: recipe_question.cpp (order, conditions), recipe_reads.cpp (values),
// recipe_synchronisation.cpp (objects), recipe_plan.cpp (the answer).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "predict/recipe_slice.h"
#include "predict/recipe_window.h"
#include "property/plan.h"
#include "solve/term_solver.h"

namespace heddle::predict {

class RecipeQuestion {
 public:
  // `terms` are those of the symbolic trace, `solver` is over them.
  RecipeQuestion(const RecipeWindow& window, solve::Terms& terms, solve::TermSolver& solver)
      : window_(window), terms_(terms), solver_(solver) {}

  // Steps that lead to the point where the goal's operations are next; none: there is no such
  // order, or it was not found in time (then `is_complete` is false).
  std::optional<std::vector<property::PlannedStep>> answer(const RecipeGoal& goal);
  bool is_complete() const { return is_complete_; }

 private:
  using Formulas = std::vector<solve::Formula>;

  bool is_kept(EventId event) const { return events_.count(event) > 0; }
  std::optional<EventId> kept(uint32_t thread, const std::optional<uint32_t>& index) const;
  std::optional<EventId> next_kept(uint32_t thread, uint32_t index) const;
  solve::Formula before(EventId one, EventId other) { return solver_.before(events_.at(one), events_.at(other)); }
  // What binds this event: nothing if it comes after the point.
  Formulas unless_later(EventId event);

  void encode_order();
  void encode_needs();
  void encode_conditions();

  bool encode_reads();
  void encode_read(EventId read, uint64_t address, unsigned size);

  bool encode_locks();
  bool encode_exclusion(const LockSection& one, const LockSection& other);
  bool require_exclusions();
  bool find_order();
  void encode_attempts();
  void encode_waits(const ConditionUse& condition);
  void encode_tokens(const SemaphoreUse& semaphore);
  void encode_barriers();

  std::vector<property::PlannedStep> plan() const;

  const RecipeWindow& window_;
  solve::Terms& terms_;
  solve::TermSolver& solver_;
  bool is_complete_ = true;

  // Of the goal at hand.
  const RecipeGoal* goal_ = nullptr;
  std::optional<RecipeSlice> slice_;
  std::map<EventId, solve::Event> events_;
  std::vector<std::vector<uint32_t>> kept_;  // by thread: indices, ascending
  solve::Event point_ = 0;
  // Of two sections that exclude each other: one of these comes before the other. Most orders have it by themselves, so
  // only what the order at hand lacks is put to the solver.
  using Ways = std::vector<std::pair<solve::Event, solve::Event>>;
  std::vector<Ways> exclusions_;
};

}  // namespace heddle::predict
