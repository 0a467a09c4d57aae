// SPDX-License-Identifier: Apache-2.0
//
// Performs the operations of a failing run so that every read finds what was recorded of it
// (heddle record --values: Operation::check, 18 bits of the value). A read that finds it happens at once, for it
// disturbs nobody; one that does not waits. Whose store comes next is guessed by the clock, and a wrong guess is found
// out soon, when nobody can go on:
//
//   T0.0:  store x, 3      T0.1:  store x, 5      T0.2:  load x finds 5; 3 was recorded
//
// So the load comes before the store of 5, or that store before the store of 3. Often only one of them can be; else
// what is closer by the clock is tried first, and the other when that leads nowhere. Either is learned for good, and
// the search goes on just before the store that came too early.
//
// What comes out was performed by the machine, with all conditions. If nothing comes out there may still be an order:
// addresses, handles of the system and what is computed from them are not the same as when the program was recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "reproduce/explanation.h"
#include "reproduce/machine.h"
#include "reproduce/system.h"

namespace heddle::reproduce {

class Retracing {
 public:
  // The edges of the system bind: creation, cores, the clock.
  explicit Retracing(const System& system);

  // Something of values was recorded; not with PSO.
  static bool can_retrace(const System& system);

  // True: there is an order.
  bool run(base::Patience& patience);
  const std::vector<OrderStep>& order() const { return order_; }

 private:
  struct Step {
    uint64_t address = 0;
    bool changes_memory = false;
  };
  // What a store overwrote.
  struct Overwritten {
    size_t step = 0;
    OperationId store;
    uint32_t size = 0;
    uint64_t value = 0;
  };
  struct Snapshot {
    size_t step = 0;
    Machine machine;
  };
  struct Choice {
    uint64_t time = 0;
    uint32_t thread = 0;
    bool is_flush = false;
    auto operator<=>(const Choice&) const = default;
  };
  // `store` came too early: `first` must have happened, so the search goes back to `step`.
  struct Lesson {
    solve::Event first = 0;
    OperationId store;
    size_t step = 0;
  };
  // What may be learned from a read that does not find what was recorded; one of them is right.
  struct Conflict {
    std::vector<Lesson> lessons;
  };
  // A lesson for which there was another.
  struct Decision {
    Lesson other;
    size_t lessons = 0;  // learned before
    size_t lowest = 0;   // the order is as it was up to here
  };

  const Operation& next(uint32_t thread) const { return run_.threads[thread].operations[machine_->position(thread)]; }
  bool is_ready(solve::Event event) const;
  bool may_store(OperationId store) const;
  bool matches(const Operation& read, uint64_t value) const;
  bool can_go_on(uint32_t thread) const;
  bool is_eager(uint32_t thread) const;
  uint64_t time_of(OperationId id) const;
  std::optional<Choice> choose() const;
  void perform(OperationId id, bool is_flush);
  void go_back(size_t step);
  bool is_done() const;
  // As far as it goes.
  void advance(base::Patience& patience);

  bool is_stuck(uint32_t thread) const;
  std::optional<Conflict> conflict_of(uint32_t thread) const;
  std::optional<Conflict> conflict_in_buffer(uint32_t thread, OperationId own,
                                             const std::vector<Overwritten>& versions) const;
  bool has_read_since(uint32_t thread, uint64_t address, size_t step) const;
  void learn(const Lesson& lesson);
  bool excuse();
  // Nobody can go on: finds out why. False: nothing is left to try.
  bool repair();

  const System& system_;
  const FailingRun& run_;
  std::vector<std::vector<solve::Event>> before_;  // by event: others that must be there first, of other threads
  std::optional<Machine> machine_;
  std::vector<bool> happened_;  // by event
  std::vector<OrderStep> order_;
  std::vector<Step> steps_;  // of the order
  std::vector<Snapshot> snapshots_;
  std::unordered_map<uint64_t, std::vector<Overwritten>> overwritten_;  // by address
  std::vector<Lesson> learned_;
  std::map<OperationId, std::vector<solve::Event>> held_back_;  // by store: what comes before it, as learned
  std::vector<Decision> decisions_;
  std::set<uint32_t> excused_;  // sites of reads whose checks say nothing
};

}  // namespace heddle::reproduce
