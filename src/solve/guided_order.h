// SPDX-License-Identifier: Apache-2.0
//
// Tries to finish a saturated problem without search: puts the events into one
// order as a scheduler would, step by step, with an eye on what is open. Of the
// events whose turn may come it takes a read that finds the right value at once,
// since waiting can only spoil it; otherwise the first, in the order of the hint,
// that spoils no read and waits for no lock. The result is always an order of
// the closure; mostly it is also a solution, and where it is not, it tells the
// search which way to try first.
#pragma once

#include "solve/saturation.h"

namespace heddle::solve {

class GuidedOrder {
 public:
  // True: order() and choices() solve the problem.
  bool run(const OrderProblem& problem, const Saturation& saturation);

  // If not: something that was in the way; at least one of these is there.
  struct Obstacle {
    uint32_t open_read = kNoEvent;   // index of an open read
    Event acquire = kNoEvent;        // begins an open section
    const Clause* clause = nullptr;  // an open clause
  };
  const Obstacle& obstacle() const { return obstacle_; }

  const std::vector<Event>& order() const { return order_; }
  const std::vector<bool>& choices() const { return choices_; }

 private:
  // What an event does to the state of the simulation when it happens.
  enum class Effect : uint8_t { kRead, kSource, kOther, kOwnStore, kHold, kFree };
  struct EffectAt {
    Event event;
    Effect effect;
    uint32_t index;  // of an open read; for kHold and kFree the event that must wait
  };
  // How good it is to let an event happen now.
  enum class Fit : uint8_t { kAtOnce, kFits, kSpoils, kFails };
  struct ReadState {
    bool done, right, own_store_waits;
    uint32_t sources_left;
  };

  void collect_effects(const Saturation& saturation);
  void collect_edges(const OrderProblem& problem, const Closure& closure);
  Fit fit(Event event) const;
  Fit fit_of_other(const ReadState& read) const;
  Obstacle obstacle_of(Event event) const;
  void happen(Event event);
  bool choose_values(const OrderProblem& problem, const Saturation& saturation);

  Obstacle obstacle_;
  std::vector<Event> order_;
  std::vector<bool> choices_;

  std::vector<EffectAt> effects_, effects_by_event_;
  std::vector<uint32_t> first_effect_;  // by event
  std::vector<ReadState> reads_;
  std::vector<uint32_t> held_against_;  // by event: how many sections must end first

  std::vector<uint32_t> first_edge_, waiting_for_;  // by event
  std::vector<Event> targets_;
  std::vector<uint32_t> rank_;  // by event: place in the hint
  std::vector<Event> by_rank_;
  std::vector<Word> ready_;      // ranks of the events whose turn may come
  std::vector<uint32_t> place_;  // by event: place in order_
  std::vector<uint8_t> chosen_;  // by choice: does choices_ hold its value
};

}  // namespace heddle::solve
