// SPDX-License-Identifier: Apache-2.0
//
// Performs the operations of a failing run in one order after the other, with
// going back: an exhaustive search over the states of the machine, for sequential
// consistency. Recorded branches keep it small, since a thread goes on only where
// its next branches go the recorded way. Three things keep it smaller:
//
//   - An operation that nobody else's remaining operations can notice happens at
//     once: others do not touch the place, or only with a lock that its thread holds.
//     So threads change turns at locks and races only.
//   - A state that was seen is not searched again: the same places in all threads,
//     and the same values in memory and in what threads have read, as far as
//     anybody will look at them.
//   - Threads that lag behind go first, so that all come along together.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "reproduce/explanation.h"
#include "reproduce/machine.h"
#include "reproduce/system.h"

namespace heddle::reproduce {

class Exploration {
 public:
  // The edges of the system bind: creation, cores.
  explicit Exploration(const System& system);

  static bool can_explore(const System& system);

  enum class Outcome : uint8_t { kFound, kNone, kGaveUp };  // kNone: there is no such order
  Outcome run(base::Patience& patience);
  const std::vector<OrderStep>& order() const { return order_; }
  uint64_t states() const { return seen_.size(); }

 private:
  static constexpr uint64_t kPlace = 8;
  // Locks that a thread holds, as bits. Two threads never hold the same one if either owns it.
  struct Locks {
    uint64_t held = 0;
    uint64_t owned = 0;  // of these, those that it does not share with other readers
    bool exclude(const Locks& others) const { return (owned & others.held) || (held & others.owned); }
  };
  // What an operation does to a piece of 8 bytes, or to a lock or another object.
  struct Touch {
    uint32_t index = 0;
    bool writes = false;
    Locks locks = {};  // that its thread holds
  };
  struct Use {
    uint32_t read = 0, last_use = 0;  // indices in the thread
    solve::Term symbol = {};
  };
  struct Line {                                     // a thread
    std::vector<Locks> locks;                       // by operation: those held before it
    std::map<uint64_t, std::vector<Touch>> places;  // ascending by index
    std::vector<Touch> anywhere;                    // at addresses that are not known
    std::vector<Use> uses;
    std::map<uint64_t, uint32_t> last_reads;  // by place
    uint32_t last_read_anywhere = 0;          // index + 1
  };
  void find_unreliable_locks();
  void prepare(uint32_t thread);
  uint64_t bit(uint64_t lock);
  bool is_ready(const Machine& machine, OperationId id) const;
  bool can_go_on(const Machine& machine, uint32_t thread) const;
  // Nobody else will notice, whatever they do before.
  bool is_unnoticed(const Machine& machine, uint32_t thread) const;
  bool may_notice(const Machine& machine, uint32_t thread, uint64_t place, bool writes, const Locks& locks) const;
  // Another thread may have to find the lock still held.
  bool may_need_held(const Machine& machine, uint32_t thread, uint64_t lock) const;
  bool step(Machine& machine, uint32_t thread);
  // Performs what nobody notices. False: the run can go on no further from here as it must.
  bool settle(Machine& machine);
  uint64_t key(const Machine& machine) const;
  bool is_done(const Machine& machine) const;
  bool explore(Machine machine);
  double fraction(const Machine& machine, uint32_t thread) const;

  const System& system_;
  const FailingRun& run_;
  std::vector<Line> lines_;
  std::vector<std::vector<OperationId>> before_;  // by event: operations of others that come first
  std::vector<bool> never_;                       // by event: comes after the failure
  std::map<uint64_t, uint64_t> bits_;             // by lock
  std::set<uint64_t> unreliable_;                 // locks that are given back by threads that do not hold them
  std::unordered_set<uint64_t> seen_;
  std::vector<OrderStep> order_;
  base::Patience* patience_ = nullptr;
  bool gave_up_ = false;
};

}  // namespace heddle::reproduce
