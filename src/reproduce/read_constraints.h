// SPDX-License-Identifier: Apache-2.0
//
// Which write a read takes its value from, as constraints on the order. For a
// read r and a write w of the same place, the choice "r reads from w" means
//
//   w is before r, and every other write of that place is before w or after r.
//
// Published systems write this down for all reads at once: a number of clauses
// that grows with the cube of the number of accesses. Here a read gets its
// choices only when its value turns out to matter (`add`). What the edges of the
// system say already is left out, so the order of writes on each core, where it
// is known, takes clauses away: all writes of one core but the next one after w.
//
// A read whose value alone decides a condition of the path is constrained from
// the beginning (`add_decided`), as far as values of writes are known.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "reproduce/machine.h"
#include "reproduce/system.h"

namespace heddle::reproduce {

class ReadConstraints {
 public:
  // When the patience is over, what follows adds and counts no more.
  ReadConstraints(System& system, base::Patience& patience);

  void add_decided();

  // Whether the read can have choices: every write that may concern it covers all of it.
  bool can_choose(OperationId read) const;
  bool has_choices(OperationId read) const { return choices_.contains(read); }
  // False: there would be too many clauses, or there is no time for them.
  bool add(OperationId read);
  // "The read takes its value from this write" (kNoOperation: the initial value). The read has choices.
  solve::Literal chosen(OperationId read, OperationId write) const;
  const std::map<OperationId, std::map<OperationId, uint32_t>>& choices() const { return choices_; }

  // Writes that may touch what the read reads.
  std::vector<OperationId> candidates(OperationId read) const;
  // Whether the read may take the value out of its thread's buffer.
  bool may_forward(OperationId read, OperationId write) const;
  // Both accesses touch the same bytes for certain, and the write happens for certain.
  bool surely_hits(OperationId write, OperationId access) const;

  OperationId read_of(solve::Term symbol) const { return reads_.at(symbol); }
  bool is_read(solve::Term symbol) const { return reads_.contains(symbol); }

  uint64_t clauses() const { return clauses_; }  // added so far
  // How many there would be for all reads at once; kTooMany if that takes too long to count.
  static constexpr uint64_t kTooMany = ~uint64_t{0};
  uint64_t count_all() const;

 private:
  bool may_touch(const Operation& one, const Operation& two) const;
  // Number of the object that an address lies in; kNobody: not known.
  uint32_t object_of(solve::Term address) const;
  bool covers(const Operation& write, const Operation& read) const;
  // The newest buffered store of its own thread that certainly hides what is in memory; kNoOperation: none.
  OperationId own_store(OperationId read) const;
  OperationId find_own_store(OperationId read) const;
  bool may_come_from(OperationId read, OperationId write, const std::vector<OperationId>& writes) const;
  // Calls emit(clause) for each clause of "`read` takes from `write`"; not for all when the patience is over.
  template <typename Emit>
  void each_clause(OperationId read, OperationId write, const std::vector<OperationId>& writes, Emit emit) const;
  bool decide(OperationId read, const std::vector<solve::Term>& conditions);
  uint64_t initial_value(const Operation& read) const;

  System& system_;
  base::Patience& patience_;
  const FailingRun& run_;
  std::vector<OperationId> writes_;                        // all
  std::map<uint64_t, std::vector<OperationId>> by_place_;  // writes with known addresses, by each 8 bytes they touch
  std::vector<OperationId> anywhere_;                      // writes with addresses that are not known
  std::map<solve::Term, OperationId> reads_;
  std::map<OperationId, std::map<OperationId, uint32_t>> choices_;
  mutable std::map<solve::Term, uint32_t> objects_;        // object_of, kept
  mutable std::map<OperationId, OperationId> own_stores_;  // own_store, kept
  uint64_t clauses_ = 0;
};

}  // namespace heddle::reproduce
