// SPDX-License-Identifier: Apache-2.0
//
// Pairs of dependent events that nothing but locks may keep in order.
//
// Per location and object it is enough to know each thread's last read and its
// last write (and, since writes of the same value are not dependent, its last
// write of another value): a pair (a, b) can be reversed only if the last such
// access of a's thread before b can be reversed with b, for it comes after a.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "propagate/reversibility/lifetimes.h"
#include "propagate/reversibility/must_clocks.h"
#include "propagate/reversibility/shared_cells.h"
#include "propagate/reversibility/sync_graph.h"
#include "trace/trace.h"

namespace heddle::propagate {

// Dependent events that came in this order and are not ordered for certain.
// Between the same nodes of their threads all pairs are alike; one is kept.
struct Candidate {
  uint32_t first = 0, second = 0;
};

class Conflicts {
 public:
  Conflicts(const trace::Trace& trace, const SharedCells& cells, const MustClocks& clocks, const SyncGraph& graph,
            Lifetimes& lifetimes);

  // The next event of the run.
  void visit(uint32_t event);

  const std::vector<Candidate>& candidates() const { return candidates_; }
  uint64_t shared_accesses() const { return shared_accesses_; }

 private:
  struct Use {
    ObjectNumber object = kNobody;
    Moment moment;
    uint32_t event = 0;
  };
  struct WriteUse {
    Use last;
    uint64_t value = 0;
    bool has_other = false;  // a write of another value than the last
    Use other;
    uint64_t other_value = 0;
  };
  struct Location {
    std::vector<Use> reads;  // sorted by thread, then object
    std::vector<WriteUse> writes;
  };

  void visit_access(uint32_t event, const HeddleRecord& record);
  void visit_location(const Use& use, Location& location, bool reads, bool writes, uint64_t value);
  void visit_birth(uint32_t event, const HeddleRecord& record);
  void visit_end(uint32_t event, uint32_t thread, ObjectNumber object);
  void check_lifetime(const Use& use, uint32_t cell);
  void forget(uint32_t cell, ObjectNumber object);
  void check(const Use& earlier, const Use& later);
  void check_writes(const Location& location, const Use& later, bool any_value, uint64_t value);

  const trace::Trace& trace_;
  const SharedCells& cells_;
  const MustClocks& clocks_;
  const SyncGraph& graph_;
  Lifetimes& lifetimes_;
  std::vector<Location> locations_;
  std::vector<Candidate> candidates_;
  std::unordered_set<uint64_t> known_;  // nodes before the two
  uint64_t shared_accesses_ = 0;
};

}  // namespace heddle::propagate
