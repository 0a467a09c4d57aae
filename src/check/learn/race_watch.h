// SPDX-License-Identifier: Apache-2.0
//
// Looks for data races while the product is explored, in two rounds.
//
// First: are two rivals (accesses.h) ever what their threads do next, both
// possible? Nothing has to be added to states for that. Whoever takes a step looks
// whether it races with what others could do instead: of two rivals that are next
// at once at least one is taken, since rivals concern each other.
//
// Then, if rivals are left, everything is explored once more with happens-before
// as part of the states (orders.h). A race of this form that has been found in the
// stronger one is not looked for.
#pragma once

#include <optional>
#include <vector>

#include "check/learn/accesses.h"
#include "check/learn/machine.h"
#include "check/learn/orders.h"

namespace heddle::check::learn {

struct FoundRace {
  AccessId first = 0, second = 0;
  RaceForm form = RaceForm::kNone;
  std::vector<Step> path;  // to where both have happened
};

class RaceWatch {
 public:
  // Attaches itself to the model. The references must outlive it.
  RaceWatch(Model& model, const Machine& machine, const std::vector<uint32_t>& places);

  Accesses& accesses() { return accesses_; }

  // Everything is explored from the beginning.
  void begin();
  // Everything was explored: is there a second round?
  bool needs_another_round();
  // What was explored so far may have missed something.
  bool was_wrong() const;

  // Told by the machine, before it does the same; also while executions are followed.
  void perform(State& state, PointId id, const Edge& edge);
  void flush(State& state, ThreadId thread, uint32_t place);
  void drop(State& state, ThreadId thread, uint32_t place);

  // Told by the search: the step, possible in this state, is about to be taken; it was taken. `path`: to there.
  void look(const State& state, const Step& step, const std::vector<Step>& path);
  void note_raced(const std::vector<Step>& path);

  // Does it matter when the store is issued, and not only when it leaves its buffer?
  bool is_seen_when_issued(PointId store);

  std::optional<FoundRace> take_found();
  bool has_found() const { return !found_.empty(); }

  // Accesses that happen are noted there, 0 for other operations; null: nowhere.
  std::vector<AccessId>* log = nullptr;

 private:
  // What the next operation of the thread is in this state; 0: no access that might race, or that is not possible.
  AccessId next_access(const State& state, ThreadId thread) const;

  Model& model_;
  const Machine& machine_;
  Accesses accesses_;
  Orders orders_;
  bool follows_orders_ = false;  // in the second round
  std::vector<FoundRace> found_;
  std::vector<Step> scratch_;
};

}  // namespace heddle::check::learn
