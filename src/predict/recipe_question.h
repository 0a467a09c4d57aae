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
// Before that the window is cut down to what can matter to the goal (slicing): a
// read matters if a condition that binds has its symbol, a write if such a read
// can find it, a thread as far as it has such writes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "predict/recipe_window.h"
#include "property/plan.h"
#include "solve/term_solver.h"

namespace heddle::predict {

struct RecipeGoal {
  std::vector<EventId> next;  // of different threads
  // Of a single thread: only its conditions before this one bind, and `wanted` holds.
  std::optional<size_t> conditions;
  std::optional<solve::Term> wanted;
};

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
  bool is_goal(uint32_t thread) const;
  // Conditions of the thread that may bind: [first, last).
  std::pair<size_t, size_t> conditions_of(uint32_t thread) const;

  void slice();
  void include(EventId event);
  void matter(solve::Term term);
  void look_at(EventId event);

  bool is_kept(EventId event) const { return events_.count(event) > 0; }
  std::optional<EventId> next_kept(uint32_t thread, uint32_t index) const;
  solve::Formula before(EventId one, EventId other) { return solver_.before(events_.at(one), events_.at(other)); }
  // True, or before the point only if something else holds too.
  void unless_later(std::vector<solve::Formula>& ways, EventId event);
  void encode_order();
  bool encode_reads();
  bool encode_read(EventId read);
  void encode_conditions();
  bool encode_locks();
  std::vector<property::PlannedStep> plan() const;

  const RecipeWindow& window_;
  solve::Terms& terms_;
  solve::TermSolver& solver_;
  bool is_complete_ = true;

  // Of the goal at hand.
  const RecipeGoal* goal_ = nullptr;
  std::vector<uint32_t> ends_;  // by thread: one past the last operation that may matter
  std::vector<bool> is_settled_;  // by thread: it goes to its goal and no further
  std::set<EventId> reads_, writes_;  // that matter
  std::set<solve::Term> known_symbols_;  // read before the window
  std::vector<EventId> todo_;
  std::map<EventId, solve::Event> events_;
  std::vector<std::vector<uint32_t>> kept_;  // by thread: indices, ascending
  solve::Event point_ = 0;
};

}  // namespace heddle::predict
