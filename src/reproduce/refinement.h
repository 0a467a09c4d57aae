// SPDX-License-Identifier: Apache-2.0
//
// Learns from an order that does not explain the run. The machine has performed
// it and says what each read found and which conditions do not hold. From this
// follow clauses that this order breaks and every right order fulfils:
//
//   a condition fails    not all reads that it depends on, through the values of
//                        writes too, read from where they did
//   a read was to take   unless addresses come out otherwise, the write that came
//   from another write   between must not come between
#pragma once

#include <vector>

#include "reproduce/machine.h"
#include "reproduce/read_constraints.h"

namespace heddle::reproduce {

class Refinement {
 public:
  Refinement(System& system, ReadConstraints& reads) : system_(system), reads_(reads) {}

  // Clauses for what is wrong with this order, which the machine has performed
  // as far as it matters. False: too many clauses would be needed.
  bool learn(const Machine& machine, const std::vector<solve::Event>& order, const std::vector<bool>& choices);

 private:
  // The reads that these terms depend on.
  std::vector<OperationId> cone(std::vector<solve::Term> terms) const;
  // Adds the negation of "these terms have the value that they have in this order".
  bool deny(const std::vector<solve::Term>& terms, solve::Clause& clause);
  void deny_by_order(OperationId read, solve::Clause& clause) const;
  bool learn_condition(const Machine::Broken& broken);
  bool learn_source(OperationId read, OperationId expected);
  bool came_before(solve::Event one, solve::Event two) const { return place_[one] < place_[two]; }
  OperationId source(OperationId read) const { return machine_->sources(read).front(); }

  System& system_;
  ReadConstraints& reads_;
  const Machine* machine_ = nullptr;
  std::vector<size_t> place_;  // by event
};

}  // namespace heddle::reproduce
