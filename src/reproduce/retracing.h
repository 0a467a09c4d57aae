// SPDX-License-Identifier: Apache-2.0
//
// Performs the operations of a failing run so that every read finds what was recorded of it
// (heddle record --values: Operation::check, a byte of the value). A thread whose next read does not find it waits.
// Whose store comes next is guessed by the clock, and wrong guesses are found out soon:
//
//   T0.0:  store x, 5                 T0.1:  load x finds 5; 3 was recorded
//
// 3 is what the store has overwritten. So the load comes before that store, whatever else is decided: this is learned,
// and the search goes on just before the store. If there is no such store, a read before has found the recorded
// byte by chance; it is made to wait for another value.
//
// What comes out was performed by the machine, with all conditions. If nothing comes out there may still be an order:
// bytes of addresses, and of what was computed from them, say nothing here.
#pragma once

#include <atomic>
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
  bool run(double seconds, const std::atomic<bool>* stop);
  const std::vector<OrderStep>& order() const { return order_; }
  uint64_t repairs() const { return repairs_; }

 private:
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
  // A read that is taken to have found the recorded byte by chance.
  struct Suspect {
    OperationId read;
    uint64_t value = 0;
    uint32_t stuck = 0;  // where its thread could not go on
    size_t lowest = 0;   // the order is as it was up to here
  };
  struct Choice {
    uint64_t time = 0;
    uint32_t thread = 0;
    bool is_flush = false;
    auto operator<=>(const Choice&) const = default;
  };

  const Operation& next(uint32_t thread) const { return run_.threads[thread].operations[machine_->position(thread)]; }
  bool is_ready(solve::Event event) const;
  bool may_store(OperationId store) const;
  bool can_go_on(uint32_t thread) const;
  bool finds_recorded(uint32_t thread) const;
  bool is_eager(uint32_t thread) const;
  uint64_t time_of(OperationId id) const;
  std::optional<Choice> choose() const;
  void perform(OperationId id, bool is_flush);
  void remember(const OrderStep& step);
  void go_back(size_t step);
  bool is_done() const;
  void advance();
  bool is_stuck(uint32_t thread) const;
  bool repair();
  bool suspect();

  const System& system_;
  const FailingRun& run_;
  std::vector<std::vector<solve::Event>> before_;  // by event: others that must be there first, of other threads
  std::optional<Machine> machine_;
  std::vector<bool> happened_;  // by event
  std::vector<OrderStep> order_;
  std::vector<Snapshot> snapshots_;
  std::unordered_map<uint64_t, std::vector<Overwritten>> overwritten_;  // by address
  std::map<OperationId, std::vector<OperationId>> learned_;             // by store: reads that come before it
  std::set<std::pair<OperationId, uint64_t>> by_chance_;                // reads, and values that they must not find
  std::optional<Suspect> suspect_;
  std::set<std::pair<OperationId, uint64_t>> cleared_;
  uint64_t repairs_ = 0;
};

}  // namespace heddle::reproduce
