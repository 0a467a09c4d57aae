// SPDX-License-Identifier: Apache-2.0
//
// What of a window can matter to a goal (slicing): a read matters if a condition
// that binds has its symbol, a write if such a read can find it, a thread as far as
// it has such writes, or something that others wait for.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "predict/recipe_window.h"
#include "solve/terms.h"

namespace heddle::predict {

struct RecipeGoal {
  std::vector<EventId> next;  // of different threads
  // Of these the one whose conditions on what it reads itself hold too: a compare-and-exchange that is to write.
  std::optional<EventId> exact = std::nullopt;
  // Of a single thread: only its conditions before this one bind, and `wanted` holds.
  std::optional<size_t> conditions = std::nullopt;
  std::optional<solve::Term> wanted = std::nullopt;

  bool is_of(uint32_t thread) const;
};

class RecipeSlice {
 public:
  // All must outlive this.
  RecipeSlice(const RecipeWindow& window, const solve::Terms& terms, const RecipeGoal& goal);

  // One past the last operation of the thread that may matter. Goals' threads end at their goals.
  uint32_t end(uint32_t thread) const { return ends_[thread]; }
  const std::set<EventId>& reads() const { return reads_; }
  // It has no place of its own in the order: an access that nothing depends on.
  bool leaves_out(EventId event) const;
  const std::set<solve::Term>& known_symbols() const { return known_symbols_; }  // read before the window
  // Conditions of the thread that may bind: [first, last).
  std::pair<size_t, size_t> conditions(uint32_t thread) const;

 private:
  void include(EventId event);
  void include_all(const std::vector<EventId>& events);
  void matter(solve::Term term);
  void look_at(EventId event);
  void look_at_locks(EventId event, const HeddleRecord& record);
  void look_at_objects(const HeddleRecord& record);

  const RecipeWindow& window_;
  const solve::Terms& terms_;
  const RecipeGoal& goal_;
  std::vector<uint32_t> ends_;
  std::vector<bool> is_settled_;      // by thread: it goes to its goal and no further
  std::set<EventId> reads_, writes_;  // that matter
  std::set<solve::Term> known_symbols_;
  std::vector<EventId> todo_;
};

}  // namespace heddle::predict
