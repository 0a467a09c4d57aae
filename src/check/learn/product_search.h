// SPDX-License-Identifier: Apache-2.0
//
// Walks through all states of the product, depth first. Where a step is missing
// it stops: the program has to be run along the path that leads there; then it
// goes on with what was learned. States between which there is nothing to
// choose are not kept.
//
// Steps that are asleep on a path (footprints.h) are not taken. With each state
// goes the mask of those that nobody has taken from there; whoever comes there
// again, and for whom some of them are awake, takes these.
#pragma once

#include <vector>

#include "check/budget.h"
#include "check/learn/ends.h"
#include "check/learn/footprints.h"
#include "check/learn/machine.h"
#include "check/learn/race_watch.h"
#include "check/learn/state_store.h"
#include "check/learn/stretches.h"
#include "check/learn/symmetry.h"
#include "check/learn/tails.h"

namespace heddle::check::learn {

class ProductSearch {
 public:
  enum class Pause : uint8_t {
    kDone,     // everything was explored
    kMissing,  // the last step of path() is missing
    kRace,     // races were found: RaceWatch has them
    kStuck,    // path() leads to threads that are blocked for ever
    kSpent,    // no time is left
    kFull,     // no memory is left
  };

  ProductSearch(Model& model, const Machine& machine, Footprints& footprints, Budget& budget)
      : model_(model),
        machine_(machine),
        footprints_(footprints),
        budget_(budget),
        ends_(model, machine),
        tails_(model),
        stretches_(model, machine, footprints) {}

  // States that differ only in threads that have changed places are one; null: none are.
  void exchange_threads(Symmetry* symmetry) { symmetry_ = symmetry; }

  Pause go_on();
  // Forgets all states: some of them are not what they seemed to be.
  void start_again() { has_begun_ = false; }
  // The missing step remains missing: goes on without it.
  void give_up();

  const std::vector<Step>& path() const { return trail_; }
  // Where the missing step is; it and what is missing there.
  PointId missing() const { return missing_.first; }
  const std::pair<PointId, Result>& missing_edge() const { return missing_; }
  Ends& ends() { return ends_; }
  const Ends& ends() const { return ends_; }
  // Since everything was last explored anew: states kept, steps taken, memory and CPU time for them.
  uint64_t states() const { return store_.size(); }
  uint64_t steps() const { return taken_; }
  uint64_t bytes() const { return store_.bytes() + tails_.bytes() + stretches_.bytes(); }
  double seconds() const { return seconds_; }

 private:
  struct Frame {
    uint32_t begin, next;  // in steps_
    uint32_t trail;        // length of the path that leads here
    StepMask asleep;
    State::Mark mark;     // the state is that of this moment
    StateStore::Sum sum;  // of its words
  };

  void begin();
  bool was_wrong() const;
  Pause explore();
  Pause take(Step step);
  void renew(const Frame& frame);
  StateStore::Sought find_steps(const Step& last);
  void enter(const StateStore::Sought& sought, size_t begin, StepMask asleep);
  StateStore::Sought find_state();
  bool exchanges() const { return symmetry_ && symmetry_->exchanges(); }
  void move_sum();
  void know_words();
  void add_up();
  void go_along_stretches(Step& last, StepMask& asleep);
  StepMask keep_steps(size_t begin, StepMask mask, bool wanted);
  Pause finish(ThreadId last);
  // Of a state in which at most one thread can do something, since all others have ended or wait for one to end.
  struct Remaining {
    Tails::ThreadMask ended = 0;  // 0: it is no such state, or nobody asked
    ThreadId sole = kNobody;      // who can do something
  };
  static constexpr ThreadId kNobody = UINT32_MAX;
  static constexpr uint64_t kTurnsBetweenLooks = 8;  // at the clock
  static constexpr uint64_t kManySteps = 13;         // for two states
  Remaining find_remaining(bool asks_who_has_ended);
  bool is_going(ThreadId thread) const;

  Model& model_;
  const Machine& machine_;
  Footprints& footprints_;
  Budget& budget_;
  Symmetry* symmetry_ = nullptr;
  Ends ends_;
  Tails tails_;
  Stretches stretches_;
  StateStore store_;
  uint64_t abandoned_ = 0;  // how many states there were when it was last begun again too early
  std::vector<Frame> frames_;
  std::vector<Step> steps_;  // of all frames
  std::vector<Step> trail_;  // the path
  State state_;
  StateStore::Sum sum_ = 0;  // of the words of state_, at this moment:
  State::Mark summed_ = 0;
  std::pair<PointId, Result> missing_;
  std::pair<ThreadId, ThreadId> going_ = {0, 0};  // two that were found to have something to do
  uint64_t turns_ = 0;
  bool has_begun_ = false;
  uint64_t ignored_version_ = 0;  // of Layout
  uint64_t taken_ = 0;
  double seconds_ = 0;
};

}  // namespace heddle::check::learn
